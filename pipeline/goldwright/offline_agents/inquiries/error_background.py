"""What is worth asking about an error beside its condition."""

from dataclasses import dataclass
from typing import Final

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.checked_values import (
    checked_values,
    other_errors,
    tried_calls,
    when_it_passes,
)
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import Finding

# More errors of one function are a list that nobody asks for.
MOST_OTHER_ERRORS: Final = 3

# What is asked beside "when", so that each fact of the answer is asked for.
_VALUES: Final = (
    'I\'m seeing "{message}". When is it raised, and where do the values in that check come from?',
    'Which check raises "{message}", and which values does it compare?',
    'Why do I get "{message}"? Where do the values in that check come from?',
    'When is "{message}" raised, and where are the values set that it depends on?',
    'Under which condition do I get "{message}", and how are the values in it computed?',
    'What check fails when I get "{message}", and where does it get its values?',
    '"{message}" - which check raises this, and which values does it look at?',
    'Where do the values come from that decide whether "{message}" is raised?',
    'How are the values computed that lead to "{message}", and what does the check require?',
)
_ARGUMENTS: Final = (
    'What does "{message}" mean, and which arguments cause it?',
    'I get "{message}". What is wrong with the arguments I passed?',
    'Got "{message}". Which arguments are checked, and what do they have to be?',
    '"{message}" - which arguments did I get wrong?',
    'Which arguments lead to "{message}", and under which condition?',
    'Why do I get "{message}"? Which arguments does the check look at?',
    'When is "{message}" raised, and which arguments does that depend on?',
    'How do I have to call this to avoid "{message}"? Which arguments are checked?',
)
_VALUES_AND_ARGUMENTS: Final = (
    'Which check raises "{message}", and where does it get its values?',
    '"{message}" - when is this raised, and does that depend on an argument?',
    'What decides whether I get "{message}", and which of those values do I pass in myself?',
    'When is "{message}" raised, and which arguments play a part in it?',
    'I get "{message}". Is it caused by an argument or by something computed in the function?',
    'Why do I get "{message}"? Which values does the check use, and where do they come from?',
    'Under which condition is "{message}" raised, and which part of that is passed in?',
    'Got "{message}". What is checked, and where do those values come from?',
)
_VALUE_AND_REST: Final = (
    'I get "{message}". Which value is checked, and what happens otherwise?',
    'What triggers "{message}", and what does the code do otherwise?',
    'Got "{message}". Which value is checked, and what happens if it is fine?',
    'When is "{message}" raised, and what happens otherwise?',
    'Which check raises "{message}", and where does its value come from?',
    'Why do I get "{message}", and what would the code do otherwise?',
    'Under which condition do we raise "{message}", and what happens if it doesn\'t hold?',
    'Where does the value come from that leads to "{message}", and what happens if it is fine?',
)
_ARGUMENT_AND_REST: Final = (
    'I get "{message}". Which argument is wrong, and what happens if I pass a valid one?',
    '"{message}" - which argument causes it, and what happens otherwise?',
    'Got "{message}". Which argument is checked, and how?',
    'What did I pass wrong if I get "{message}", and what happens with a valid argument?',
    'When does my call end in "{message}"? Which argument is checked, and how?',
    'Which argument triggers "{message}", and what does the code do if it is valid?',
    'Why do I get "{message}"? Which argument is checked, and what happens otherwise?',
    'How is the argument checked that leads to "{message}", and what happens if it passes?',
)
_TRIED: Final = (
    'I get "{message}". Which step failed, and what happens if it succeeds?',
    '"{message}" - what fails before this is raised, and what happens otherwise?',
    'When is "{message}" raised? What was tried before, and what happens if that works?',
    'What goes wrong before "{message}" is raised, and what happens otherwise?',
    'Which call fails when I see "{message}", and what does the code do if it succeeds?',
    'Why do I get "{message}"? What did the code try, and what happens if that works?',
    'Got "{message}". Which call failed before that, and what happens if it doesn\'t?',
    'Under which condition is "{message}" raised, and what happens if nothing fails?',
)
_PLACE_AND_VALUE: Final = (
    'Where do we raise "{message}", and where does the value behind it come from?',
    'Which function raises "{message}", in which file, and what does it check?',
    'I get "{message}". Where is that check, and where does the value come from?',
    'Why do I get "{message}"? Show me the check and where its value comes from.',
    'Where is the check behind "{message}", and what does it look at?',
    '"{message}" - where is that check, and where does it get its value?',
    'When is "{message}" raised? I need the file, the condition and the value it tests.',
    'Got "{message}". Which file is that in, and what does it check?',
)
_PLACE_AND_DEFAULT: Final = (
    'Where do we raise "{message}", and what does the argument that is checked default to?',
    'I get "{message}". Where is that check, and can I leave the argument out?',
    'Got "{message}". Which function checks that, and is the argument optional?',
    '"{message}" - where is that check, and what is the default of the argument?',
    'Which function raises "{message}", in which file, and does the argument have a default?',
    'Why do I get "{message}"? Show me the check and the default of the argument.',
    'Which argument leads to "{message}", where is it checked, and what is its default?',
    'When is "{message}" raised? I need the file, the condition and the default of the argument.',
)
_PLACE_AND_TRIED: Final = (
    'Where do we raise "{message}", and what fails before that?',
    'Which function raises "{message}", in which file, and what did it try?',
    'I get "{message}". Where does that come from, and which step failed?',
    'Why do I get "{message}"? Show me where it is raised and what was tried.',
    'What goes wrong before "{message}" is raised, and in which file is that?',
    '"{message}" - in which function is this raised, and after which failure?',
    'When is "{message}" raised? I need the file and the step that fails.',
    'Got "{message}". Which step failed before that, and where is it?',
)
_ERRORS: Final = (
    'I got "{message}". When does that happen, and which other errors does the same code raise?',
    'When is "{message}" raised, and which other errors does the same function raise?',
    'What triggers "{message}", and which other errors can the same function raise?',
    '"{message}" - when do I get this, and what else does the same function raise?',
    'We already handle "{message}". When is it raised, and what else does that function raise?',
    'When do I get "{message}", and which other errors does that code raise?',
    'Under which conditions does the function behind "{message}" raise its errors?',
    'Is "{message}" the only error that function raises? When is each one raised?',
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
    are_values_enough = len(values) > 1 and not all(map(_must_be_given, values))
    mixed = _VALUES_AND_ARGUMENTS if arguments else _VALUES
    of_values = _ARGUMENTS if len(arguments) == len(values) else mixed
    of_value_and_rest = _ARGUMENT_AND_REST if arguments else _VALUE_AND_REST
    # What says most comes first; where it stands is asked where there is nothing else.
    choices: tuple[tuple[bool, tuple[str, ...], tuple[Finding, ...]], ...] = (
        (are_values_enough, of_values, values),
        (bool(values and rest), of_value_and_rest, (*values, *rest)),
        (bool(tried and rest), _TRIED, (*tried, *rest)),
        (1 < len(errors) <= MOST_OTHER_ERRORS, _ERRORS, errors),
        # That something is an argument says nothing of where it comes from.
        (
            any(not _must_be_given(value) for value in values),
            _PLACE_AND_DEFAULT if len(arguments) == len(values) else _PLACE_AND_VALUE,
            (*place, *values),
        ),
        (bool(tried), _PLACE_AND_TRIED, (*place, *tried)),
    )
    return next((Background(ways, facts) for fits, ways, facts in choices if fits), None)


def _must_be_given(value: Finding) -> bool:
    return isinstance(value.statement, ParameterDefault) and not value.statement.default
