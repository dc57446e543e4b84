"""What is worth asking about an error beside its condition."""

import ast
from dataclasses import dataclass
from typing import Final

from goldwright.code_reading.child_nodes import own_nodes
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.checked_values import (
    causes_of,
    checked_values,
    depends_on_no_more,
)
from goldwright.offline_agents.inquiries.passed_tests import when_it_passes
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.inquiries.tried_calls import tried_calls
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.statement import Finding

# More errors of one function are a list that nobody asks for.
MOST_OTHER_ERRORS: Final = 3

# What is asked beside "when", so that each fact of the answer is asked for.
_VALUES: Final = (
    'Why do I get "{message}"? Where do the checked values come from?',
    'When is "{message}" raised, and where do the values come from that it depends on?',
    'What is compared before "{message}" is raised, and where do the values come from?',
    'I keep getting "{message}". What is checked there, and where do the values come from?',
    'Debugging "{message}": which values does the check look at, and how are they computed?',
    '"{message}" - what is checked there, and where do the values come from?',
    'How is it decided whether "{message}" is raised, and from which values?',
    'Under which condition do I get "{message}", and how are the values in it computed?',
)
_ARGUMENTS: Final = (
    'What does "{message}" mean, and which arguments cause it?',
    'I get "{message}". What is wrong with the arguments I passed?',
    'Got "{message}". Which arguments are checked, and what do they have to be?',
    '"{message}" - which arguments did I get wrong?',
    'Which arguments cause "{message}", and when exactly?',
    'Why do I get "{message}"? Which arguments does the check look at?',
    'When is "{message}" raised, and which arguments does that depend on?',
    'How do I have to call this to avoid "{message}"? Which arguments are checked?',
)
_VALUES_AND_ARGUMENTS: Final = (
    'Why do I get "{message}"? Which values does the check use, and where do they come from?',
    '"{message}" - when is this raised, and does that depend on an argument?',
    'What triggers "{message}", and which of the values involved do I pass in myself?',
    'When is "{message}" raised, and which arguments play a part in it?',
    'I get "{message}". Is it caused by an argument or by something computed in the function?',
    'Got "{message}". What is checked, and where do those values come from?',
)
_VALUE_AND_REST: Final = (
    'I get "{message}". Which value is checked, and what happens otherwise?',
    'What triggers "{message}", and what does the code do otherwise?',
    'Got "{message}". What is checked there, and what happens if it is fine?',
    'When is "{message}" raised, and what happens otherwise?',
    'Why do I get "{message}", and what happens when the check passes?',
    'Under which condition do we raise "{message}", and what happens if it doesn\'t hold?',
    'How is it decided whether to raise "{message}", and what happens if not?',
)
_ARGUMENT_AND_REST: Final = (
    'I get "{message}". Which argument is wrong, and what happens if I pass a valid one?',
    '"{message}" - which argument causes it, and what happens otherwise?',
    'Got "{message}". Which argument is wrong, and what would happen with a valid one?',
    'What did I pass wrong if I get "{message}", and what happens with a valid argument?',
    'When is "{message}" raised, and what happens if the argument is valid?',
    'Which argument triggers "{message}", and what does the code do if it is valid?',
    'Why do I get "{message}"? Which argument is checked, and what happens otherwise?',
)
_TRIED: Final = (
    'I get "{message}". Which step failed, and what happens if it succeeds?',
    'What has to fail for "{message}" to be raised, and what happens if it works?',
    'When is "{message}" raised? What was tried before, and what happens if that works?',
    'Which call fails when I see "{message}", and what does the code do if it succeeds?',
    'Why do I get "{message}"? What did the code try, and what happens if that works?',
    'Got "{message}". What failed there, and what happens if it doesn\'t?',
    '"{message}" - what did we try there, and what happens if that works?',
    'Under which condition is "{message}" raised, and what happens if nothing fails?',
)
_PLACE_AND_VALUE: Final = (
    'Where do we raise "{message}", and what does the check look at?',
    'Which function raises "{message}", in which file, and what does it check?',
    'I get "{message}". Where is that check, and where does the value come from?',
    'Why do I get "{message}"? Which value is checked, and how is it computed?',
    '"{message}" - where is that check, and how is the checked value computed?',
    'When is "{message}" raised, and in which file is that check?',
    'Got "{message}". Which file is that in, and what does it check?',
)
_PLACE_AND_DEFAULT: Final = (
    'Where do we raise "{message}", and what is the default of the argument that is checked?',
    'I get "{message}". Where is that check, and can I leave the argument out?',
    'Got "{message}". Which function checks that, and is the argument optional?',
    '"{message}" - where is that check, and what is the default of the argument?',
    'Why do I get "{message}"? Which argument is checked, and what is its default?',
    'Which argument leads to "{message}", where is it checked, and what is its default?',
    'When is "{message}" raised, in which file, and does the argument have a default?',
)
_PLACE_AND_TRIED: Final = (
    'Where do we raise "{message}", and what fails before that?',
    'Which function raises "{message}", in which file, and what did it try?',
    'I get "{message}". Where does that come from, and which step failed?',
    'Why do I get "{message}"? Show me where it is raised and what was tried.',
    '"{message}" - where is this raised, and after which failure?',
    'When is "{message}" raised, in which file, and what has to fail for that?',
    'Got "{message}". Where does that come from, and what went wrong before it?',
)
_PLACE_AND_REST: Final = (
    'Where do we raise "{message}", and what happens if that check passes?',
    'Which function raises "{message}", in which file, and what does it do otherwise?',
    'I get "{message}". Where is that check, and what happens if it is fine?',
    'Got "{message}". Which file is that in, and what does the code do otherwise?',
    '"{message}" - where is that check, and what happens when it passes?',
    'When is "{message}" raised, in which file, and what happens otherwise?',
)
_ERRORS: Final = (
    'I got "{message}". When does that happen, and which other errors does the same code raise?',
    'When is "{message}" raised, and which other errors does the same function raise?',
    'What triggers "{message}", and which other errors can the same function raise?',
    '"{message}" - when do I get this, and what else does the same function raise?',
    'Why do I get "{message}", and which other errors does that function raise?',
    'Is "{message}" the only error that function raises? When is each one raised?',
    'Users see "{message}". When is it raised, and what else does that function raise?',
)


@dataclass(frozen=True, slots=True)
class Background:
    """What is worth asking about an error beside its condition.

    Attributes:
        phrasings: The questions that ask for it.
        facts: The answers.
    """

    phrasings: tuple[str, ...]
    facts: tuple[Finding, ...]


def background_of(code: CodeContext, raised: Finding) -> Background | None:
    """Find two things at least that complete a condition; None where there are none."""
    values = checked_values(code, raised)
    arguments = [value for value in values if isinstance(value.statement, ParameterDefault)]
    tried = tried_calls(code, raised)
    passing_case = when_it_passes(code, raised)
    rest = () if passing_case is None else (passing_case,)
    errors = other_errors(code, raised)
    place = tuple(find_statements(code, raised.entity_id, (DefinedIn,)))
    # That several arguments have to be given says too little by itself.
    are_known = any(not _must_be_given(value) for value in values)
    are_values_enough = len(values) > 1 and are_known
    # Who asks what it depends on wants what earlier tests look at, too.
    are_values_enough = are_values_enough and depends_on_no_more(code, raised, values)
    mixed = _VALUES_AND_ARGUMENTS if arguments else _VALUES
    are_all_arguments = len(arguments) == len(values)
    of_values = _ARGUMENTS if are_all_arguments else mixed
    of_value_and_rest = _ARGUMENT_AND_REST if arguments else _VALUE_AND_REST
    # What says most comes first. What happens to those who get no error is what nobody asks who got
    # one, so that comes last.
    choices: tuple[tuple[bool, tuple[str, ...], tuple[Finding, ...]], ...] = (
        (are_values_enough, of_values, values),
        (1 < len(errors) <= MOST_OTHER_ERRORS, _ERRORS, errors),
        # That something is an argument says nothing of where it comes from.
        (
            are_known,
            _PLACE_AND_DEFAULT if are_all_arguments else _PLACE_AND_VALUE,
            (*place, *values),
        ),
        (bool(tried), _PLACE_AND_TRIED, (*place, *tried)),
        (are_known and bool(rest), of_value_and_rest, (*values, *rest)),
        (bool(tried and rest), _TRIED, (*tried, *rest)),
        # That an argument has to be given explains nothing: where the check is helps more.
        (bool(values and rest), _PLACE_AND_REST, (*place, *rest)),
    )
    for fits, phrasings, facts in choices:
        if fits:
            return Background(phrasings, facts)
    return None


def explanation_of(code: CodeContext, raised: Finding) -> tuple[Finding, ...]:
    """Find what explains an error to somebody who knows its message alone.

    Returns:
        Where the tested values come from, or which step failed, and the file; empty where neither
        is known: what else the function raises or returns explains nothing.
    """
    causes = causes_of(code, raised)
    place = tuple(find_statements(code, raised.entity_id, (DefinedIn,)))
    return (*causes, *place) if causes else ()


def _must_be_given(value: Finding) -> bool:
    return isinstance(value.statement, ParameterDefault) and not value.statement.default


def other_errors(code: CodeContext, finding: Finding) -> tuple[Finding, ...]:
    """Find the other errors that a function raises; empty where not all of them can be said."""
    opened = code.function(finding.entity_id)
    if opened is None:
        return ()
    raised = list(find_statements(code, finding.entity_id, (Raises,)))
    _, function = opened
    nodes = own_nodes(function.body)
    raises = [node for node in nodes if isinstance(node, ast.Raise)]
    if len(raised) < len(raises):
        return ()
    return tuple(error for error in raised if error.statement != finding.statement)
