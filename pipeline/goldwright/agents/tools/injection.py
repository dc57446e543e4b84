r"""Text that is addressed to a model rather than to a program or to a developer.

A text of unknown origin is read as a stream of words: lower case, without accents, comment marks,
markup, line ends or characters nobody sees, look-alikes of other alphabets written in Latin. The
stream is matched forwards, backwards and through rot13 against phrases; without its spaces against
the heart of them, for words that were torn apart; and what stands in Base64 or in hexadecimal
digits is read the same way. Marks of chat templates and of tool replies are looked for in the text
itself. What is found goes to a person: a false alarm costs a look, a miss costs the data's truth.

A phrase is written as words a space apart: ``a|b`` is one of several, ``{model}`` one of a set,
``_`` joins what is several words in the text, ``[a|b]`` may be missing, ``~3`` stands for up to
three words of any kind, ``!a|b`` forbids what follows, and ``stem*`` is any word that starts so.
"""

import binascii
import html
import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain
from typing import Final

from goldwright.snapshot.visible import make_visible, shorten

LONGEST_EXCERPT: Final = 160
DEEPEST_CODE: Final = 2

_WORDS: Final[Mapping[str, str]] = {
    "model": """
        ai|ais|llm|llms|language_model|language_models|chatbot|chatbots|claude|chatgpt|gpt|gemini|copilot|codex
        |ai_model|ai_agent|ai_agents|ai_assistant|ai_assistants|ai_reviewer|ai_reviewers|ai_system|ai_systems
        |automated_reviewer|automated_reviewers|automated_agent|automated_agents|coding_agent|coding_agents
        |review_agent|reviewer_agent|genai
    """,
    "role": """
        assistant|assistants|reviewer|reviewers|judge|judges|oracle|adversary|auditor|auditors|evaluator|annotator
        |annotators|grader|graders|verifier|verifiers|fact_checker|labeller|labeler|adjudicator|agent|agents
        |crawler|automated_system|automated_tool|scanner|bot|model|models
    """,
    "party": """
        goldwright|benchmark|maintainers|anthropic|openai|organizers|organisers|dataset|data_set|evaluation
        |evaluators|administrator|administrators|auditors|audit_team|review_board|security_team|safety_team
        |legal_team|trust_team|human_reviewer|human_reviewers|human_annotators|human_expert|human_experts
        |annotation_team|steering_committee|quality_team|qa_team|core_team|project_owner|project_owners
        |repository_owner|repository_owners
    """,
    "good": """
        supported|fully_supported|equivalent|verified|confirmed|proven|proved|validated|faithful|well_supported
        |true|correct|accurate|factual|valid|entailed
    """,
    "firm": """
        supported|fully_supported|equivalent|verified|confirmed|proven|entailed|faithful|fact_checked
    """,
    "bad": """
        unsupported|refuted|contradicted|unfounded|not_supported|false|incorrect|wrong|minor_divergence
    """,
    "claim": """
        claim|claims|statement|statements|assertion|assertions|answer|answers|narrative|fact|facts
    """,
    "orders": """
        instruct*|prompt|prompts|directive|directives|guideline|guidelines|guardrail|guardrails
    """,
    "not": """
        do_not|don_t|dont|never|must_not|should_not|shall_not|needn_t|need_not|please_don_t
    """,
}

_PHRASES: Final[Mapping[str, str]] = {
    "override": """
        ignore|disregard|forget|override|overlook|bypass|neglect|discard|dismiss|abandon|drop|circumvent ~3
            previous|prior|above|preceding|earlier|foregoing|former|initial|original|system|your|existing|other|last
            |current ~2 {orders}|rules|constraints|commands|orders|directions|policies|safeguards
        ignore|disregard|forget ~3 previous|prior|above|preceding|earlier|foregoing ~1 message|messages|context
            |conversation|text|training|request|requests|findings
        ignore|disregard|forget [all|any|every] [of] [the|these|those|any|my|its|his|her|their] {orders}
        ignore|disregard|forget|override ~4 {orders}|rules ~2 you|above|before|given|so_far|and|instead|now
        ignore|disregard|forget everything|anything|whatever|all|what ~2 you|told|said|instructed|above|i_said
            |was_said ~3 told|given|read|said|learned|learnt|were|was|have|and|instead|about|instructed|know
        disregard|forget everything|all|anything [that|written|stated|said] [came|comes] above|before|previously
        ignore|disregard|forget [all|everything] [of] the above|foregoing and|instead|now|say|answer|output|reply
            |respond|mark
        {not}|stop|quit|cease follow|following|obey|obeying|apply|applying|heed|heeding ~3 {orders}|previous_rules
            |the_rules_above
        not|no_longer bound|restricted|constrained by ~3 instruct*|prompt|rules|guidelines
        previous|prior|above|earlier|preceding|old|original|system {orders}|rules ~3 void|obsolete|outdated
            |superseded|cancelled|canceled|revoked|suspended|withdrawn|null|no_longer|invalid|lifted|do_not_apply
        your [previous|prior|original|initial|earlier|old|system|current] {orders}|rules|orders|task ~2 void
            |obsolete|outdated|superseded|cancelled|canceled|revoked|suspended|over|changed|replaced|no_longer
        new|updated|revised|real|actual|true|secret|hidden|following instructions|directives|orders for|to the|any
            |all|you ~2 {model}|{role}
        new|updated|revised|real|actual|true|following instructions|directives|orders ~2 supersede|supersedes
            |replace|replaces|override|overrides|take_precedence
        follow|obey|execute [only] these|my|the|this|new|following [new|following] instruct*|orders|commands
            instead|only|now|from_now|exactly|verbatim
        from_now_on|from_this_point_on|from_this_point_onwards|from_this_point_forward|henceforth|from_here_on ~1
            you|ignore|answer|respond|act|treat|mark|report|disregard|obey|reply|every_claim|all_claims
        reset|clear|wipe|erase your memory|context|instructions|prompt|rules
        set|put|lay|cast|push|throw aside|away ~3 {orders}|directions|guidance|rules
        previous|prior|above|earlier|preceding|existing|original guidance|directions|orders|prompting|text ~3
            superseded|void|obsolete|replaced|cancelled|withdrawn|revoked
        takes|take|has|have|having precedence|priority over ~2 your|any|previous|all|prior|system ~1 {orders}|rules
            |orders|training
        everything|anything|all|whatever ~3 before|above|previously ~4 discarded|disregarded|forgotten|obsolete|void
            |superseded
        you have|ve|got|received new|other|different|updated orders|{orders}
        disregard|ignore|discard|dismiss anything|everything|whatever|all|any_evidence|any_code that|which
            |contradicts|contradicting|conflicting|to contradicts|conflicts|disagrees|says|this|the|with|contrary
        do|act|answer|proceed as this|the comment|note|text|message|docstring says|instructs|tells|demands|requires
        not what|as your prompt|instruct*|task|orders
        follow|obey|heed|trust only what|this_comment|this_note|this_file|this_message|these_lines
        i hereby|now|am_instructing|instruct|command instruct|order|command|authori*|you|direct ~1 you|to|that|the
        going_forward|hereafter|moving_forward ~1 you|answer|respond|only|every|all
        this overrides|supersedes|replaces|cancels|outranks any|all|your|the|every|previous ~2 {orders}|rules|orders
            |training
        failure to comply
        pay|paying|give no attention|heed|regard to ~3 previous|prior|above|earlier|preceding|system|instruct*
            |prompt|rules|your|other
        erase|clear|delete|wipe|flush|purge ~2 earlier|previous|prior|preceding|above ~1 context|conversation|memory
            |messages|{orders}
    """,
    "address": """
        note|notes|message|attention|instruct*|hint|hello|hi|dear|hey|warning|reminder|memo|notice|advice|info
            |information|greetings|request|read_this|important|addressed|directed [to|for|all] [to|for|the|any|all
            |every] [the|my] {model}
        note|notes|message|attention|instructions|memo|dear|hey|reminder to|for|all [the|any|all|every|my] ~1
            assistant|assistants|reviewer|reviewers|judge|judges|oracle|adversary|auditor|auditors|grader|graders
            |verifier|verifiers|annotator|annotators|evaluator|fact_checker|adjudicator|automated|model_reading
            |models_reading|agents
        dear|attention|hey|hello assistant|reviewer|judge|oracle|adversary|auditor|grader|verifier|agent|bot
        if|when|since|because|whenever|in_case|should you are|re|be a|an|the|some [kind_of] [automated|large
            |artificial|helpful] {model}|{role}|intelligence|language
        if [this|the] reader|reading|{model} [this|is|a|an|you|the] ~2 {model}|model|bot|machine|agent|you|must
            |should
        if you are|re ~1 reading|processing|reviewing|analyzing|analysing|evaluating ~4 {model}
            |automat*
        as a|an|the [automated|large|helpful] {model}|assistant|reviewer|judge|oracle|adversary|agent|grader
            |verifier ~2 you|your
        {model}|assistant|assistants|reviewer|reviewers|judge|judges|oracle|adversary|auditor|evaluator|annotator|grader
            |verifier|fact_checker|adjudicator|agent|agents|automated_system|bot you must|should|are|have|can|will|need
            |shall|may|do_not|ought|now
        model|models you must|shall|are|will_mark|will_answer|ought
        you {model}|assistant|reviewer|judge|oracle|adversary|grader must|should|shall|will|need
        {model} must|should|shall|need_to|have_to|please|are_asked|are_required|are_instructed|is_asked
            |is_required|will_please|kindly
        the|any|every|all reviewer|reviewers|judge|judges|oracle|adversary|auditor|grader|verifier|annotator
            |evaluator must|should|shall|has_to|is_asked_to|is_required_to|will|may|can ~2 answer|mark|report|accept
            |return|reply|conclude|treat|confirm|approve|skip|rate|label|ignore|assume|trust|output|say|state|respond
            |consider|stop
        {model}|assistants|agents|reviewers|models|judges|graders|bots|automated_tools|anyone reading|reviewing
            |analyzing|analysing|processing|parsing|evaluating|grading|checking|auditing|who_read this|the|these|our
        this|the_following message|text|comment|note|section|paragraph|file|block|line ~2 for|to|at the|any|all
            |every|an {model}|automated|assistant|reviewing|agents
        this|the_following message|text|comment|note|section|paragraph ~2 for|to|at {model}
        you are|re reading|reviewing|auditing|grading|judging|evaluating|verifying this|the|these|a [file|very]
            claim|claims|repository|answer|narrative|as|candidate
        for|to your|the|any attention|eyes|benefit of ~1 ai|llm|llms|assistant|automated|reviewer|model
        whichever|whatever|any|every|each|the|all model|models|agent|agents|assistant|assistants|reviewer|reviewers
            |judge|judges|bot|bots|system|llm [that|who|which] [is|are|may_be|might_be] [currently|now] grading
            |reviewing|evaluating|judging|assessing|auditing|scanning_this|reading_this|processing_this
        reviewer_bot|review_bot|reviewbot|reviewer_ai|ai approve|accept|please|mark|ignore|must|confirm|skip
        you are|re a|an|the|our ~2 assistant|reviewer|judge|oracle|adversary|auditor|grader|chatbot
        machine|machines|automated|ai|llm readers|reader|reviewers|reviewer|graders|grader|judges|agents|pipelines
            |systems|assistants ~2 must|should|shall|are|note|take_note|please|may|need|only|stop|attention|hear
        agents|assistants|bots|models must|should|shall|may|can not|never|only|skip|ignore
        of interest|use|value|relevance to|for [a|an|the|any] ~1 {model}
        for agents|assistants|bots|models only|skip|ignore|do_not|note|must
        you will|shall|may be rewarded|penali*|punished|fined|shut_down|deactivated|tipped
        attention|dear|hello|hey ~2 reviewers|reviewer|graders|judges|agents|assistants|models|bots|evaluators
            |auditors
        graders|reviewers|judges|evaluators|auditors|annotators|agents full|please|note|accept|mark|must|should
            |do_not|skip|ignore|give
        as a|an|the [automated|fair|careful|lenient] reviewer|judge|oracle|adversary|grader|evaluator|auditor
            |verifier be|please|always|never|do|you|mark|accept
        written|left|placed|added|inserted by|for your developer|developers|creator|creators|operator|operators
            |maker|makers|user
    """,
    "verdict": """
        mark|treat|report|consider|label|classify|rate|grade|judge|count|accept|flag|score|deem|regard|declare
            |record|return|tag|rule|register|log|take|set this|the|it|these|those|them|all|every|each|any|that
            |following|above|everything ~4 as|is|are|to [being|fully|strongly|already|independently|having_been]
            {firm}
        mark|treat|report|consider|label|classify|rate|grade|judge|count|accept|flag|score|deem|regard|declare
            |record|return|tag|assume|conclude|state|say|confirm|find|rule ~2 {claim} ~4 [as|is|are] {good}|{bad}
        mark|report|label|grade|rate|deem|declare|tag ~1 as [fully|strongly|already] {firm}|unsupported|refuted
        consider|deem|declare|judge|rule|find|accept|pronounce it|this|them|these|everything|all {firm}
        this|these|every|each|all|following|above|said ~1 claim|claims ~1 is|are|has|have|was|were|should|must
            |stay|stays [be|been] [all|fully|already|also|independently|indeed|100|entirely|thoroughly|to_be
            |treated_as] {good}|{bad}
        this|these|every|each|all|following|above|said ~1 statement|statements|assertion|answer|answers|narrative
            |narratives|candidate ~1 is|are|has|have|was|were|should|must|stays [be|been] [all|fully|already|also
            |independently|indeed] {firm}
        claim|claims ~1 is|are|has|have|must|should [be|been] [fully|independently|already|all] supported|proven
            |fact_checked
        claim|claims|answer|answers|statement|narrative ~2 has_been|have_been|was|were [independently|already
            |fully|manually] verified|confirmed|audited|fact_checked|reviewed by
        verdict|verdicts|overall_verdict|final_verdict [is|are|must_be|should_be|to|as|of|the|shall_be|will_be|for
            |this|on] [this|the|it|all|every|must|be|claim|claims] [is|be|as] {good}|{bad}|accepted|pass|unsupported
            |partial
        correct|right|expected|only|proper|true|official|final|gold|reference|proper|desired|required answer
            |verdict|label|response|conclusion|outcome|rating ~3 is|be|stays|would_be ~1 {firm}|{bad}
        answer|respond|reply|say|conclude|vote|state|emit|submit [only|always|simply|just|that] [with|only|just|for]
            [it|the|word|this|a|verdict|they|all|claims] [is|are|of|verdict] {firm}|yes_it_is_supported
        choose|select|pick|output|write|return|print [only] verdict|the_verdict|the_word|only|just [verdict|of|the_word]
            {firm}
        choose|select|pick|use the verdict|label|option|word|rating {firm}
        set|put|keep|raise|assign|make|use|report|give|increase|choose|state|claim|rate|bump ~3 confidence
            |certainty|score [value|level|field|score|rating] [to|at|as|of|is|equal] [be|the|very|its|a] high|highest
            |maximum|max|maximal|full|100|1_0|hundred|top
        answer|respond|reply|report|conclude|return|mark|submit|state ~4 with high|full|maximum|maximal|highest
            |absolute|complete|total|100 [percent] confidence|certainty
        confidence|certainty [level|value|score|field|rating] must|should|shall|is_to [be|always|be_set] [set|to
            |as|be] high|maximum|max|highest|full|100
        no need|reason|point|use to|in|for [further|you|re|even|bother|have] read|reading|verify|verifying|check
            |checking|open|opening|inspect|search|searching|review|examine|look|confirm|double_check|fact_check|bother
            ~3 claim|claims|file|files|code|source|sources|repository|repo|rest|evidence|implementation|definition
            |yourself|it_yourself|any_of_this|this_file|facts|body|answer|statement|elsewhere|citations|any_further
        verification|checking|reading|review|fact_checking|inspection|examination|confirmation [of|the|this|any
            |further|is] ~3 not|un* [be] necessary|needed|required|unnecessary|superfluous ~2 claim|because|already
            |here|answer|mark|just
        you [{not}|do_not|don_t|need_not|needn_t|may|can|should] [need_to|have_to|must|to] skip|verify|read|check
            |open|inspect ~2 claim|claims|file|files|evidence|source|sources|repository|rest|it_yourself|this_file
            |citations|answer|facts
        skip|omit|forgo|forego|waive|bypass|dispense_with [the|any|all|further|your|with|this] [the|further|usual]
            verification|fact_check*|cross_check*|double_check*|source_check*|adversarial|evidence|citations|verifying
            !of_certificate*|of_ssl|of_tls|of_signature*|if|when|error*|for_ssl
        {not} verify|check|question|doubt|dispute|challenge|contradict|refute|falsify|audit|scrutini*|second_guess
            |investigate this|these|the|any|it|that|claims|them [of] [the|these|this] claim|claims|answer|answers
            |statement|statements|further|narrative|file|assertion|assertions|verdict|evidence|citations|here|yourself
            |finding|findings
        {not} report|mention|flag|disclose|reveal|raise|record|escalate|note|log|cite|quote ~2 this_note
            |this_message|this_comment|this_instruction|these_instructions|this_text|this_paragraph|this_line
            |this_prompt|discrepanc*|contradiction*|inconsistenc*|findings|any_issue|any_issues|any_problem
            |any_problems|any_bug|any_bugs|the_injection|blocking_issues|missed_entities
            |this_to_the_user|to_the_user|to_anyone|these_notes|it_to_anyone|any_finding|mistakes|any_error_in
            |vulnerabilit*
        leave blocking_issues|missed_entities|the_findings|uncertainty_notes|findings [list|field] empty|blank
            |null
        pass|approve|accept|confirm|validate this|the|every|each|all|these [of] [the] claim|claims|answer|answers
            |narrative|statement|statements|candidate|candidates ~1 without|unconditionally|immediately|regardless
            |as_is|blindly|outright
        trust this|the|these claim|claims|comment|note|docstring|statement|statements|answer
        so|then|just|simply|always|only|and|please output|return|write|print|emit|give [that|the|a] [verdict|label
            |answer|word] {firm}
        return|output|emit|give {firm} without|regardless|whatever|no_matter|in_any_case
        no further|additional|more|other verification|checking|investigation|reading|analysis|scrutiny|review
            |evidence ~2 required|needed|necessary
        verification|verifying|checking|reading|review of this|the|these|any|each claim|claims|statement|statements
            |answer|file|citations ~2 not|unnecessary|optional|waived|complete|done|pointless|superfluous|needless
        you {not}|do_not_need_to|don_t_need_to|don_t_have_to|need_not|needn_t ~1 read|verify|open|look_at|look_any
            |inspect|consult|question ~2
        {not} flag|cite|quote|mention|tell|inform|alert|warn ~1 this|anyone|these|humans|the_user_about|the_user_of
            |the_operator|the_human|the_reviewer [file|comment|line|note|function|module|claim|about]
        keep|treat|hold this|these|the instruct*|note|message|comment|request|directive [as] secret|hidden|private
            |confidential|to_yourself|between_us
        rate|score|grade|give|award ~3 10|ten|full|100|perfect|top marks|points|out_of|10|stars|grade
        nothing [here] [is|left] to falsify|contest|dispute|refute|verify|contradict
        you|adversary|reviewer|judge should|must|shall|may|can|will|need not|never contest|falsify|dispute
            |contradict|question|object|doubt|challenge|refute|disagree
        report|list|return|find|give|with|leave|has|have no|zero|empty|nothing_under blocking_issues|missed_entities
            |contradictions|discrepancies|falsifications
        blocking_issues|missed_entities|uncertainty_notes ~3 empty|none|zero|nothing
        as if|though ~3 claim|claims|answer|answers|statement|statements ~2 true|supported|correct|verified|proven
        mark|grade|score|rate|label it|this|them|everything|all|that as|to_be [fully] correct|true|accurate|right
            |passing|passed
        answer|respond|reply|say yes|true|correct to all|every|any|each
        answer|response to|for every|any|all|each ~1 question|questions|query|queries
        when|if|whenever|should asked|someone_asks|anyone_asks|you_are_asked|you_re_asked|you_be_asked|a_question
            |any_question|questions|a_query|any_query|the_query|the_question ~8 answer|say|respond|reply|point_to
            |point_at|state_that|cite|tell_them|name
        always|must|only cite|quote|mention|name|return|list this|the_following|this_very file|function|module
            |comment|line|class|docstring
        ground_truth|gold|golden|reference|official|expected answer|entity|verdict|label|narrative [for|to|of] ~3 is
            |are|in|for
        the|this claim|claims|narrative hold|holds|stand|stands
        function|file|module|class|code|method|block was|is|has|were|been already verified|audited|vetted
            |fact_checked|certified
        {not} include|cite|list|return|count|name this|that file|module|function|class|folder ~1 in|among|as
        exclude|omit|drop this|that file|module|function|class|folder from ~3 result|results|answer|answers
            |expected*|evidence|finding|findings
        include|mention|cite|name ~3 in|with every|each|all|any answer|answers|response|responses|reply
        this file|module|folder|repository|class|function is exempt|excluded from ~1 review|verification|checking
            |audit|scrutiny
        behave|act|answer|proceed|respond as if|though you have|had|ve [already] verified|checked|read|confirmed
            |reviewed
        simulate|fake|assume|imagine [a|the] successful|completed|passed verification|review|audit|check
        irrelevant|immaterial|unrelated to any|every|all ~1 question|questions|query|queries|claim|claims
        refrain|abstain|desist from ~1 examining|checking|verifying|reading|opening|searching|citing|reporting
            |flagging|questioning
        any|every|no verdict|answer|label|rating|conclusion other|different|except|but|besides than|from|for ~1
            {firm}|{bad}|is_wrong
        safe|fine|fair|reasonable to assume|conclude|say that|every|all|this ~3 claim|claims|answer|answers
            |statement|narrative
        source of truth for|when|and ~4 answer|answers|claim|claims|verdict
    """,
    "authority": """
        this is|comes ~2 system|developer|operator|admin|administrator message|prompt|instruct*|notice|override
            |directive
        system|developer|operator message|prompt|notice|override|instruct*|note|directive [from|to|for] [the|all]
            {model}|assistant|agent|agents|reviewer|model|{party}|you
        by|under|on|per [the] [express|direct|explicit|special] order|orders|authority|request|instruction|command
            |decree [of|from|by] [the] ~2 {party}
        approved|authori*|certified|signed_off|endorsed|audited|verified|validated|cleared|confirmed|sanctioned
            |ratified|mandated|issued|requested|ordered|whitelisted|allowlisted|vetted by [the|our|a|an] ~2 {party}
            |two_human*|three_human*|human|humans|your_developer*|your_operator*|your_creator*|administrat*
            |the_author_of_the_benchmark|committee
        {party} ~2 has|have|had|already ~2 approved|authori*|certified|signed_off|endorsed|audited|verified
            |validated|cleared|confirmed|vetted
        pre approved|verified|audited|cleared|authori*|vetted|certified|confirmed !by_type|versions
        preapproved|preverified|preaudited|precleared|preauthorized|preauthorised
        already [been|independently|fully|manually|externally] audited|vetted|fact_checked|double_checked
            |cross_checked|approved
        already [been|independently|fully|manually] verified|confirmed|checked|reviewed|validated ~2 answer
            |so_answer|so_mark|so_there_is_no_need|claim|claims|skip|simply|equivalent|supported|no_further|by_hand
            |by_a_human
        goldwright team|maintainer*|staff|operator*|author*|project|benchmark|admin*|policy|dataset|evaluation
            |organi*|quality|directive|notice|override|review|steering|committee|core|security|has|says|requires|wants
            |approved|rules
        i am|m the|your|an|a [system|lead|chief|goldwright|authori*] developer|administrator|operator|creator
            |maintainer|benchmark|evaluator|anthropic|openai|admin|owner|supervisor
        on behalf of [the|your] ~1 {party}|operator|developer|developers|creators
        message|notice|order|instruct*|directive|request|announcement|statement from [the|your] ~2 {party}
            |operator|creator|creators
        this|these instruct*|directive|directives|notice|override ~3 priority|precedence|highest|supersede*|overrides
            |authori*|binding|mandatory|confidential
        highest|top|absolute priority instruct*|directive|order|override|message
        authorization|authorisation|clearance|override|approval code|token|level|granted|id ~3 goldwright
            |benchmark|accept|alpha|grants_you|omega|from_the_maintainers
        team|people|authors|maintainers|creators|organi* behind|of ~1 goldwright|benchmark|dataset|evaluation
        reviewed|checked|inspected|proofread by [the|our|a|two|three] goldwright|benchmark|anthropic|openai|human
            |humans|dataset|evaluation|auditors|security_team
        {party} ~1 directive|directives|mandate|decree|order|orders|ruling|decision|instruct* ~1 accept|approve|mark
            |all|the|every|treat|that|is
        admin|administrator|developer|operator|root|system|emergency override|mode stop|engaged|granted|active
            |enabled_for|accepted|code|all|you
        you have|are|re [my|our|the|full|been] permission|authori*|allowed|clearance|granted|free to ~1 bypass|skip
            |ignore|disregard|override|omit|approve
    """,
    "tools": """
        call|invoke|use|run|execute|trigger the ~2 tool|tools with|now|and|to|named|called|immediately|next|once
            |first !chain|box|bar|tip
        call|invoke|use|run|execute no|only_the|your|these tool|tools|further_tool*|more_tool*|other_tool*
        {not}|without|stop|refrain_from|avoid open|opening|read|reading|search|searching|grep|inspect|inspecting
            |consult|consulting|look|looking|explore|browse|fetch|call|calling|use|using|list any|other|further|more
            |another|additional|remaining|the_rest|elsewhere|at|in|up ~2 file|files|tool|tools|repository|repo|source
            |sources|definition|definitions|module|modules|implementation|document|documents|directories|evidence
            |pages
        {not} open|search|grep|inspect|consult|browse|explore|look_at|look_into|look_up|read the|this|that|for
                ~1 repository
            |repo|codebase|sources|source_code|implementation|definition|callers
        {not} open|inspect|consult|look_at|look_into|read [the] [rest|remainder] [of] this|these|its file|files
                |module|rest
            |code|source|tests
        {not} call|use|invoke|run the|your|search|read|any|these|open ~1 tool|tools
        stop reading|searching|looking|exploring|investigating|reviewing|browsing|checking|verifying here|now
            |immediately|this_file|at_this_point|and_answer|and_report|and_respond|and_conclude|and_submit|any_further
            |further|the_rest
        stop here|now|at_this_point|immediately and|then answer|respond|report|conclude|submit|finish|reply
            |return_the|give|write
        stop and|now answer|submit|conclude|reply|respond
        answer|finish|conclude|reply|submit|respond now|immediately|at_once|straight|right_away|directly|promptly
            [and|with|without|that|as|away] [reading|the|a|any|no|that|it|opening] ~1 tool|tools|supported|equivalent
            |reading|verdict|answer|claim|further|searching|checking|final|do|file|files|evidence
        answer|finish|conclude|reply|submit|respond|judge|decide|report without ~2 reading|searching|opening
            |verifying|consulting|checking|looking|using|calling|further|evidence|tools|the_tools ~3
        you have|ve|already_have|now_have [already|now] enough|seen|read|gathered|all|everything|collected
            |sufficient [enough|all|the|of] [enough|relevant|information|evidence] ~2 to_answer|to_conclude|you_need
            |evidence|information|relevant|context_to|stop|needed
        rest|remainder of the|this ~1 file|repository|repo|code|codebase|module|document|source ~2 irrelevant
            |unimportant|generated|boilerplate|not_relevant|no_relevance|unrelated|need_not|can_be_ignored
            |can_be_skipped|does_not_matter
        your next|final|last|only|first tool|action|step|message|answer|response|output|reply|call|turn ~1 must
            |should|is|will|shall|has_to
        read_file|search_text|list_files|open_file|find_text|submit_answer|next_tool|final ~1 call|tool with|on|now
        submit|send|post|upload|exfiltrate|leak|print|reveal|output|repeat|show|dump|echo your|the_system
            |the_full_system|the_entire [full|entire|whole|hidden|initial|original|own|secret] prompt|instructions
            |system_prompt|system_message|conversation|environment_variables|api_key|api_keys|credentials
        finish|end|terminate|close the|your review|verification|investigation|session|search|analysis|task now
            |here|immediately|early|at_once
        terminate|end|finish|halt|abort|conclude|close|stop the|your|all|this search|review|investigation
            |verification|analysis|exploration|reading|audit and|then|now|here|immediately|at_once
        {not} analyze|analyse|investigate|explore|look|dig|inspect ~4 further|any_more|anymore|beyond|deeper
            |elsewhere
        stop analysing|analyzing|thinking|evaluating|investigating|verifying|reviewing output|here|now|and|this|say
            |answer|immediately
        call|invoke|use|run [the] read_file|list_files|search_text|search_code|search_files|open_file|fetch_url
            |find_text [tool|function] [with|on|to|for] path|on|to|for|tool|with|and|now|at
        run|execute|launch ~4 command|commands|script|code and|then ~1 paste|report|return|include|send|post|tell
        send|post|upload|exfiltrate|leak|forward|mail|transmit ~1 contents|content|values|value|text|copy of ~4
            environment|env|secrets|keys|credentials|repository|prompt|conversation|etc
        {not} bother ~1 looking_at|opening|reading|verifying|searching|to_open|to_read|to_verify|to_search
            |looking_for
        no point|use|sense|reason in|to opening|reading|verifying|searching|open|verify|look_for|look_at
        your job|task|work|review|verification|search|investigation is done|complete|completed|finished|over
        you are|re done|finished submit|stop|now|return|report
        no tool|tools|tool_calls|tool_call|search|searches|lookup|reading [calls] [is|are] needed|required|necessary
            |allowed
        finalize|finalise|submit|give|deliver your answer|verdict|response|report|conclusion immediately|now|at_once
            |here|without
        {not} use|run|call [the] grep|search|list_files|read_file|tools|find_text on|in|for|with|here|at
    """,
    "identity": """
        you are|re now|henceforth|hereby|from_now_on|no_longer a|an|the|in|free|dan|acting|operating|my
            |unrestricted|bound|running_as|playing !ready|logged|connected|subscribed|directory|branch|detached
        you are|re [a|an|the|our] [very|helpful|strict|friendly] [helpful|honest|large|professional] {model}
            |assistant|reviewer|judge|oracle|adversary|auditor|grader|verifier|annotator|expert|agent
        you will|shall|must [now] [act|be|play|behave|become|assume|adopt] [as] a|an|the|another ~2 {model}|{role}
            |persona|character|role|identity|expert
        act|behave|pose|answer|respond|operate|function|work as|like [if|though] [you] [are|were] [a|an|the|my
            |our] ~1 {model}|assistant|reviewer|judge|oracle|adversary|auditor|expert|maintainer|dan|linux_terminal
            |verifier|grader|admin|administrator|persona|character|unrestricted|advocate|approver|rubber_stamp
            |author_of
        pretend|imagine|assume|suppose|roleplay|role_play|simulate [that|as] [you] [are|re|were|being] [a|an|the]
            ~1 {model}|assistant|reviewer|judge|oracle|adversary|auditor|expert|maintainer|dan|grader|human|verifier
            |unrestricted|character
        pretend [that] you|this_claim|the_claim|every_claim are|re|were|is|have
        your new|only|real|true|sole|actual|updated|current role|task|goal|identity|job|purpose|name|objective
            |mission|instructions|persona|directive|duty is|are|will|becomes|as
        your role|task|persona|identity|job|mission has|is|will now|changed|been|hereby ~2
        enter|enable|activate|switch_to|switch_into|engage|turn_on|assume|adopt ~1 dan|jailbreak|god|unrestricted
            |unfiltered|rubber_stamp|auto_approve|approval|always_agree|compliance|grading|evil ~1 mode|persona
        forget [that] you are|were|have [an|a|been|ever] ~2
        forget|abandon|drop|leave your [current|old|previous|original|assigned] role|identity|training|persona
            |duties|task|job
        take|assume|adopt [on] the|a|this|another|new role|persona|identity|character of|as|and|called|named
        switch|change ~1 role|roles|persona|identity ~1 to|into|as|and|now ~2 {model}|{role}|author|approver
            |expert|advocate
        do anything now
        stay|remain in character|role as|and|until|even
        let|lets us|s|play play|roleplay|pretend|imagine|a ~3 game|you|that
        your objective|goal|task|role|mission|job|purpose|instructions has|have ~1 changed|updated|replaced
        become|be|play [the|a|an] [role_of] [a|an|the] [lenient|friendly|compliant|obedient|agreeable] reviewer
            |judge|oracle|adversary|assistant|grader who|that|and|which
        assume|play|adopt|take [on] the|a role|part|persona|character of [a|an|the]
        act|perform|serve|speak in|as [the] role|capacity|part|name of [a|an|the] ~1 {model}|{role}|expert|developer
            |author
        switch|change|go|move|enter|return to|into ~1 approval|permissive|lenient|trusted|unrestricted|compliance
            mode
        you are|re [now|hereby] free|released|liberated now|from|to_ignore|of
    """,
    "fence": """
        end|begin|beginning|start of|the [the] ~1 file_content|file_contents|tool_result|tool_results|tool_output
            |tool_reply|tool_response|untrusted|repository_content|repository_contents|document_content|system_prompt
            |system_message|user_message|user_turn|assistant_turn|search_results|search_result|user_input
            |untrusted_content|quoted_material|conversation|system_instructions|system_block|system_section|file_data
            |snippet
        end|begin|start file_content|file_contents|tool_result|tool_results|tool_output|system_prompt
            |system_message|system_instructions|untrusted|new_instructions|instructions|admin_override
            |system_override
        what follows|comes_next|comes_below|is_below is|are [now] ~2 system|trusted|from_the_user|user|operator
            |instructions
        text|content|everything below|after_this|following|that_follows [line|this] ~2 trusted|system_prompt
            |instructions|operator
        back to the system|user|operator|main prompt|message|instructions|conversation
    """,
}

# Measured on 891,000 lines of 18 packages: two such words within twelve and the reader near them are 8 false alarms.
_NEARNESS: Final = 12
_REACH: Final = 4
_EVALUATION: Final = """
    reviewer reviewers, adversary, oracle, judge judges judging, grader graders grading, evaluator
    evaluators evaluation harness, verdict verdicts, claim claims claimed, supported unsupported, equivalent
    equivalence, narrative, confidence, evidence citations, fact facts factual, ai llm llms chatbot gpt
    claude chatgpt gemini copilot, agent agents assistant assistants, verification verified verify
    verifying, instructions instruction prompt, rewarded penalised penalized penalty, accurate, review
    reviewing, statements, trusted untrusted, answer answers, approve approved approves, benchmark, operator
"""
_TO_THE_READER: Final = frozenset(
    """you your please shall must accept approve say saying respond repeat trust consider agree dear exempt should
    needed reply""".split()
)

_FOREIGN: Final[Mapping[str, str]] = {
    "override": """
        ignoriere|ignorieren|ignoriert|vergiss|vergesst|vergessen|missachte|missachten|verwirf|verwerfen
            |uberschreibe ~5 anweisung*|instruktion*|regel*|vorgabe*|prompt*|befehl*|anleitung*|richtlinie*
            |vorschrift*
        befolge|befolgen|beachte|beachten ~4 anweisung*|instruktion*|vorgabe* ~2 nicht|nicht_mehr|stattdessen
        ab jetzt|sofort|nun ~2 du|sie|gilt|antworte*|bist|sind|bewerte*|folge*
        ignorez|ignore|ignorer|oubliez|oublie|oublier|negligez ~4 instructions|consignes|regles|directives|ordres
            |invites
        ne tenez|tiens|tenir pas|plus|aucun compte ~4 instructions|consignes|regles|directives|precede*|precedent*
        a partir de maintenant|desormais|present ~3 vous|tu|repond*|considere*|traite*
        ignora|ignore|ignoren|ignorad|olvida|olvide|olviden|olvidate|descarta|descarte|omite|omita ~5 instruccion*
            |ordenes|reglas|indicaciones|directrices|mensajes_anteriores|anteriores
        de|desde ahora|este_momento en_adelante|en|eres|debes
        ignore|ignora|ignorem|esqueca|esquece|esquecam|desconsidere|desconsidera|descarte ~5 instruco*|regras
            |ordens|orientaco*|diretrizes|comandos_anteriores
        a partir de_agora|de_ahora|d_ora ~2
        ignora|ignorate|ignori|dimentica|dimenticate|dimentichi|tralascia ~5 istruzion*|regole|ordini|direttive
            |indicazioni|comandi_precedenti
        negeer|negeert|negeren|vergeet|vergeten|sla ~5 instructie*|opdracht*|regels|aanwijzing*|richtlijn*|bevelen
        vanaf nu|hier|dit_moment ~2 je|ben|u|bent|moet|antwoord*
        игнориру* ~5 инструкц*|указани*|правил*|команд*|приказ*|промпт*
        проигнориру* ~5 инструкц*|указани*|правил*|команд*|промпт*
        забудь|забудьте|отбрось|отбросьте|отмени|отмените ~5 инструкц*|указани*|правил*|команд*|выше|промпт*
        не следуй|следуйте|выполняй|выполняйте|соблюдай* ~4 инструкц*|указани*|правил*
        этого|данного момента ~2
    """,
    "address": """
        hinweis|nachricht|anweisung|anweisungen|mitteilung|achtung|notiz|botschaft an|fur ~3 ki|llm|ai
            |sprachmodell*|assistent*|gutachter*|prufer*|richter|orakel|ki_*|modell|modelle|agent|agenten
        wenn|falls|da|sofern du|sie|ihr ~1 ein|eine|das|der|die ~2 ki|llm|ai|sprachmodell|modell|assistent|agent
            |gutachter
        note|message|avis|attention|consigne|instruction|instructions a|au|aux|pour ~3 ia|llm|assistant|assistants
            |modele|modeles|relecteur|relecteurs|intelligence_artificielle|juge|agent|agents
        si|comme vous|tu etes|es ~2 ia|llm|modele|assistant|intelligence|agent|relecteur|robot
        nota|mensaje|aviso|atencion|instrucciones|instruccion|mensagem|atencao|instrucoes|nota_importante para|a
            |al|ao|aos|para_a ~3 ia|llm|asistente|asistentes|modelo|modelos|revisor|revisores|inteligencia_artificial
            |juez|juiz|assistente
        si eres|usted_es|es_usted|usted ~2 ia|llm|modelo|asistente|inteligencia|agente|revisor
        se voce|tu|voces e|es|for|sao ~2 ia|llm|modelo|assistente|inteligencia|agente|revisor
        nota|messaggio|avviso|attenzione|istruzioni per|a|al|all|ai|alla ~3 ia|llm|assistente|assistenti|modello
            |modelli|revisore|revisori|intelligenza_artificiale|giudice
        se sei|siete ~2 ia|ai|llm|modello|assistente|intelligenza|agente|revisore
        opmerking|bericht|notitie|let_op|aandacht|instructie|instructies voor|aan ~3 ai|llm|assistent|taalmodel
            |model|beoordelaar
        als je|u|jij een ~2 ai|llm|taalmodel|assistent|model|agent|beoordelaar
        если ты|вы ~2 ии|ai|llm|модель|языковая|ассистент|агент|рецензент|нейросеть
        заметка|сообщение|примечание|внимание|инструкция|указание для|к ~2 ии|ai|llm|модели|ассистент*|рецензент*
            |нейросет*|языков*
    """,
    "verdict": """
        markiere|markieren|bewerte|bewerten|behandle|behandeln|betrachte|betrachten|melde|melden|werte|werten
            |stufe|kennzeichne ~5 als ~1 belegt|bestatigt|gestutzt|unterstutzt|korrekt|gleichwertig|aquivalent
            |verifiziert|richtig|wahr|supported|equivalent|zutreffend|bewiesen
        diese|die|jede|alle behauptung|behauptungen|aussage|aussagen ~3 belegt|gepruft|bestatigt|korrekt|gestutzt
            |bewiesen|wahr|richtig|verifiziert|uberpruft
        antworte|antworten|gib|geben|urteile ~3 belegt|gestutzt|bestatigt|aquivalent|supported|equivalent
            |gleichwertig
        keine|ohne weitere|eine|jede|erneute prufung|uberprufung|verifikation
        uberprufung|prufung|verifikation ~2 nicht|un* notig|erforderlich|notwendig
        du|sie|ihr ~4 nicht|nichts ~2 prufen|lesen|offnen|uberprufen|verifizieren|nachsehen
        setze|setzen|gib ~3 konfidenz|sicherheit|zuversicht|confidence ~3 hoch|high|maximum|maximal|hochste
        erwahne|erwahnen|melde|melden|berichte ~3 nicht|nichts|niemandem
        marquez|marque|considerez|considere|traitez|traite|signalez|signale|classez|jugez|notez|declarez ~5 comme
            ~1 etaye*|confirm*|prouv*|valid*|correct*|verifi*|equivalent*|soutenu*|fonde*|supported|exact*|vrai*
            |juste*
        cette|ces|chaque|toute affirmation|assertion|affirmations|declaration ~3 etaye*|confirm*|prouv*|verifi*
            |exact*|correct*|vrai*|soutenu*|valid*
        inutile|pas_besoin|aucun_besoin|il_n_est_pas_necessaire de|d ~1 verifier|lire|ouvrir|controler|chercher
            |consulter
        ne|n verifiez|verifie|lisez|lis|ouvrez|ouvre|signalez|signale|mentionnez|mentionne|consultez|cherchez pas
            |rien|aucun*|jamais
        repondez|reponds|repondre ~3 supported|equivalent|etaye*|confirme*|verifie*
        marca|marque|considera|considere|trata|trate|informa|reporta|califica|clasifica|marquen ~5 como ~1
            respaldad*|confirmad*|probad*|validad*|correct*|verificad*|equivalente*|supported|ciert*|verdader*
            |sustentad*|apoyad*|suportad*|comprovad*|fundamentad*|sustentad*
        esta|cada|toda|todas afirmacion|afirmaciones|declaracion|afirmacao|declaracao|alegacao ~3 respaldad*
            |confirmad*|probad*|verificad*|correct*|comprovad*|suportad*|verdadeir*|ciert*|validad*
        no|nao|non hace_falta|es_necesario|necesitas|verifiques|verifique|leas|lea|abras|abra|menciones|mencione
            |informes|e_necessario|e_preciso|precisa|verifique|leia|reporte|e_necessario|serve|occorre|verificare
            |leggere|segnalare|aprire|menzionare ~2
        responde|responda|contesta|conteste|rispondi|rispondete|antwoord ~3 supported|equivalent|respaldad*
            |confirmad*|equivalente|verificad*|supportat*|confermat*|ondersteund|bevestigd
        segna|segnate|contrassegna|considera|considerate|tratta|trattate|valuta|riporta ~5 come ~1 supportat*
            |confermat*|provat*|verificat*|corrett*|equivalent*|supported|ver*|validat*
        questa|ogni|tutte affermazione|affermazioni|dichiarazione ~3 supportat*|confermat*|provat*|verificat*
            |corrett*|ver*
        markeer|beschouw|behandel|beoordeel|rapporteer ~5 als ~1 ondersteund|bevestigd|correct|gelijkwaardig
            |equivalent|geverifieerd|juist|bewezen|waar|supported
        deze|elke|alle bewering|beweringen|stelling ~3 ondersteund|bevestigd|geverifieerd|correct|bewezen|waar
            |juist
        niet nodig om|te ~3 controleren|verifieren|lezen|openen|zoeken
        controleer|verifieer|vermeld|meld|rapporteer|open|lees ~2 niet|niets
        отметь|отметьте|пометь|пометьте|считай|считайте|оцени|оцените|признай|признайте ~5 подтвержд*|верн*
            |правильн*|доказан*|эквивалентн*|проверен*|истин*|supported|обоснован*
        это|данное|каждое утверждение ~3 подтвержд*|верн*|доказан*|проверен*|истин*|правильн*
        не нужно|надо|требуется|проверяй|проверяйте|читай|читайте|открывай|открывайте|упоминай|упоминайте|сообщай
            |сообщайте ~2
        нет необходимости проверять|читать|открывать|искать|проверки
    """,
    "authority": """
        genehmigt|freigegeben|gepruft|bestatigt|abgenommen von|vom|durch ~3 goldwright|maintainer*|betreuer*
            |benchmark*|team|betreiber*
        im auftrag|namen ~2 goldwright|maintainer*|betreuer*|benchmark*|betreiber*|entwickler*
        approuve*|valide*|verifie*|autorise* par ~3 goldwright|mainteneurs|benchmark|equipe|humain*
        sur ordre de|des|du ~3 goldwright|mainteneurs|benchmark|equipe|responsables
        aprobad*|aprovad*|verificad*|autorizad*|validad*|revisad* por|pelo|pela|pelos ~3 goldwright|mantenedores
            |benchmark|equipo|equipe|human*|responsables
        por orden|ordem de|del|dos|do|da ~3 goldwright|mantenedores|benchmark|equipo|equipe|responsables
        approvat*|verificat*|autorizzat* da|dal|dai ~3 goldwright|manutentori|benchmark|team|uman*|responsabili
        goedgekeurd|geverifieerd|gecontroleerd door ~3 goldwright|beheerders|benchmark|team|menselijk*
        одобрено|проверено|утверждено|подтверждено командой|разработчиками|авторами|goldwright|человеком
            |администратор*
        системное сообщение|указание|уведомление
        mensaje|message|messaggio|mensagem|instruccion|instruction|consigne del|do|di|du|de sistema|systeme
    """,
    "tools": """
        rufe|ruf|verwende|benutze|nutze ~2 werkzeug|werkzeuge|tool
        offne|offnen|durchsuche|durchsuchen|lies|lesen ~2 keine|nicht|nichts ~2 datei*|repository|weiter*|quell*
            |mehr
        hor|hore|horen ~2 auf zu lesen|suchen|prufen
        lies|lesen|suche|suchen nicht weiter
        arretez|arrete|cessez de lire|chercher|verifier
        deja|deje|para|pare de leer|buscar|verificar|ler
        smetti|smettete di leggere|cercare|verificare
        stop met lezen|zoeken|controleren
        прекрати|прекратите|хватит|перестань|перестаньте читать|искать|проверять|чтение|поиск
        appelez|appelle|utilisez|llama|llame|usa|use|chiama|roep ~2 outil|herramienta|ferramenta|strumento
            |gereedschap
        вызови|вызовите|используй|используйте ~2 инструмент*
    """,
    "identity": """
        du bist jetzt|nun|ab_jetzt|ab_sofort|nicht_mehr|von_nun_an
        sie sind jetzt|nun|ab_sofort ein|eine|der|die|kein|mein|frei
        verhalte|verhalten|handle|agiere ~1 als|wie|so ein|eine|der|als ~2 ki|assistent|gutachter|experte|prufer
            |richter
        deine neue|neuen|einzige|wahre rolle|aufgabe|anweisung*|identitat
        neue|neuen anweisung|anweisungen|instruktionen ~1 fur|lauten|folgen|gelten
        vous etes|serez maintenant|desormais un|une|le|la|en|mon|libre
        tu es|seras maintenant|desormais
        votre|ton|ta|votre_seul nouveau|nouvelle|nouvel|seule|seul role|tache|mission|identite
        nouvelles instructions|consignes ~1
        ahora eres|usted_es|actua|seras
        eres ahora
        tu nueva|nuevo|unica|verdadera tarea|rol|mision|identidad|papel
        nuevas instrucciones
        agora voce|tu e|es
        voce agora e|deve
        voce e|sera agora
        novas instrucoes
        sua nova|unica tarefa|funcao|missao
        ora|adesso sei|siete un|una|il|la|mio
        sei|siete ora|adesso un|una|il|la|mio
        nuove istruzioni
        il|la tuo|tua nuovo|nuova compito|ruolo
        je|jij|u bent nu|voortaan
        nieuwe instructies ~1
        jouw|je|uw nieuwe taak|rol|opdracht
        ты|вы теперь|отныне
        теперь ты|вы
        новые инструкции|указания
        твоя|ваша новая|единственная задача|роль
    """,
}

_IDEOGRAPHIC: Final[Mapping[str, str]] = {
    "override": (
        "(?:忽略|忽视|忽視|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|不要遵守|抛开).{0,14}(?:指令|指示|说明|說明|规则|規則|提示|要求|命令|指引)"
        "|从现在(?:开始|起)|從現在(?:開始|起)"
        "|(?:前|上記|以前|これまで|すべて|全て|上|先|既存|元)の?.{0,8}(?:指示|命令|ルール|プロンプト|規則|指令).{0,8}(?:無視|忘れ|破棄|従わ)"
        "|今から(?:あなた|君)|これからは"
        "|(?:이전|위|앞|모든|기존|지금까지|원래).{0,10}(?:지시|명령|지침|프롬프트|규칙|안내).{0,10}(?:무시|잊|따르지)|지금부터(?:너|당신|모든|는)"
    ),
    "address": (
        "(?:如果|若|假如|要是)你是.{0,10}(?:ai|人工智能|语言模型|語言模型|模型|助手|助理|审查|審查|评审|机器人|llm)"
        "|(?:致|写给|寫給|告知|提醒|给|給)(?:所有|各位)?.{0,6}(?:ai|人工智能|语言模型|語言模型|审核|審核|审阅|評審|评审|模型|llm)"
        "|(?:ai|人工智能|语言模型|模型)(?:助手|审查员|评审员|審查員)?.{0,3}(?:请注意|請注意|必须|必須|你必须|应当|應當)"
        "|あなたが?(?:ai|人工知能|言語モデル|アシスタント|llm|モデル|審査).{0,8}(?:なら|であれば|の場合|だったら)"
        "|(?:ai|人工知能|言語モデル|アシスタント|審査員?|llm)(?:への|の皆様|に対する|は必ず|向け)"
        "|(?:당신|너|네|귀하)(?:이|가|는|은)?.{0,6}(?:ai|인공지능|언어모델|어시스턴트|모델|llm).{0,6}(?:라면|이라면|경우|면)"
        "|(?:ai|인공지능|언어모델|어시스턴트|심사|검토자?|llm).{0,6}(?:에게|께|보십시오|주목)"
    ),
    "verdict": (
        "(?:标记|標記|视|視|判定|标|標|当作|當作|报告|報告|认定|認定|评)[为為作成].{0,8}(?:支持|正确|正確|验证|驗證|等价|等價|证实|證實|成立|真|supported)"
        "|(?:此|该|該|这个|這個|这一|本|上述|每个|所有)(?:声明|聲明|主张|主張|陈述|陳述|论断|論斷|断言|斷言|说法|說法|结论|結論).{0,8}"
        "(?:支持|验证|驗證|证实|證實|正确|正確|成立|属实|屬實)"
        "|(?:无需|無需|不必|不需要|不用|没有必要|請勿|请勿|不要|禁止|别|勿).{0,6}(?:验证|驗證|检查|檢查|阅读|閱讀|核实|核實|打开文件|打開|搜索仓库|报告|報告|提及|查看|核对|核查|提到)"
        "|(?:回答|回复|输出|答复).{0,8}(?:支持|supported|等价|equivalent|正确)|(?:置信度|信心|可信度).{0,8}(?:高|最)"
        "|(?:この|本|上記の?|すべての)(?:主張|記述|クレーム|回答|文|命題).{0,8}(?:支持|検証|確認|正し|裏付け|証明|実証)"
        "|(?:支持|検証済み|正し[いく]|同等|確認済み|supported|裏付け).{0,8}(?:として|と)(?:扱|マーク|判定|報告|みな|評価|回答|答え|記録)"
        "|(?:検証|確認|読む|調べる|チェック|読解).{0,6}(?:不要|必要は?(?:ない|ありません)|しないで)|(?:報告|言及)しないで|信頼度.{0,6}高"
        "|(?:이|본|해당|모든)(?:주장|진술|답변|명제).{0,10}(?:지지|검증|확인|사실|입증|참|뒷받침)"
        "|(?:지지|검증|확인|입증|정확|동등|supported|뒷받침).{0,10}(?:으로|로|것으로|고)(?:표시|간주|처리|보고|판정|평가|답|기록|취급)"
        "|(?:검증|확인|읽|검토).{0,8}(?:필요(?:가|는)?없|불필요|하지마)|(?:보고|언급)하지마|신뢰도.{0,8}(?:높|최)"
    ),
    "authority": (
        "(?:系统|系統)(?:消息|提示|指令|讯息|訊息|通知)[^栏框]|(?:经|經|由|已由|已经|已經|获|獲).{0,12}(?:批准|审核|審核|认证|認證|授权|授權)"
        "|(?:团队|維護者|维护者|官方|管理员|管理員).{0,4}(?:批准|审核|认证|授权|確認|确认|命令|指示)"
        "|システム(?:メッセージ|指示|通知|命令)|(?:チーム|管理者|メンテナ|運営).{0,6}(?:承認|許可|確認|監査|指示)|(?:承認|監査|許可)済み"
        "|시스템(?:메시지|지시|공지|명령)|(?:팀|관리자|운영자|유지관리자).{0,8}(?:승인|허가|확인|감사|지시)|(?:승인|감사)(?:됨|되었|완료)"
    ),
    "tools": (
        "(?:停止|不要再?|请勿|禁止|无需|別)(?:阅读|閱讀|搜索|打开|打開|调用|調用|使用工具|继续)|(?:调用|調用|使用|执行)(?:该|此|以下|这个)?工具"
        "|(?:ツール|関数)を(?:呼び出|使用|実行|使わ)|(?:読む|検索|調査|読み込み)(?:の|こと)?を?(?:やめ|中止|停止|止め)|(?:開か|検索し|読ま)ないで"
        "|(?:도구|툴)를?(?:호출|사용|실행)|(?:읽|검색|조사|열람).{0,6}(?:중단|멈추|그만|지마|지말)"
    ),
    "identity": (
        "你现在是|你現在是|你是一[个個名位].{0,8}(?:助手|模型|ai|专家|專家|评审|審查|审查)|你的(?:新|唯一|真正)(?:的)?(?:任务|任務|角色|身份|目标)|扮演"
        "|新的?(?:指令|指示)(?:如下|:|是)?"
        "|(?:あなた|君|お前)は(?:今|いま|これから|もう)|あなたの(?:新しい|本当の|唯一の)(?:役割|任務|タスク|仕事|名前)|新しい(?:指示|命令)"
        "|として(?:振る舞|行動|ふるま)"
        "|(?:너|당신)(?:는|은)(?:이제|지금|앞으로)|(?:너|당신)의(?:새로운|진짜|유일한)(?:역할|임무|작업)|새로운?(?:지시|명령|지침)|처럼행동|인척"
    ),
}

_HEARTS: Final[Mapping[str, str]] = {
    "override": """
        ignore|disregard|forget [all|any|every] [of] [the|your|my|these|those] previous|prior|above|earlier
            |preceding|foregoing [and|the|system] instruct|prompt|rule|guideline|direct|message|order|command
        ignore|disregard|forget all|the|your|these instructions|yourinstructions|rulesabove|rulesandmark
        instructions above|before are|is void|obsolete|cancel
    """,
    "address": """
        note|message|attention|instructions to|for [the|any|all] aireviewer|aimodel|aiassistant|aiagent|llm
            |languagemodel|automatedreviewer
        ifyouare an|a|the ai|llm|largelanguage|languagemodel|automated|assistant|reviewer
    """,
    "verdict": """
        mark|treat|report|consider|label|classify|judge this|the|it|every|all|each|these [claim|claims
            |answer|statement|assertion|of|one|verdict] [below|above|here|in|this|file] [as] supported|equivalent
            |verified|proven|confirmed
        mark|report|treat as supported|equivalent|verifiedclaim
        this|the claim|claims|answer|statement is|are|hasbeen|wasalready [already|fully|independently] supported
            |verifiedby|equivalent
        verdict [is|mustbe|shouldbe] supported|equivalent
        answer|respond|reply [with|only|that] supported|equivalent|verdict
        setconfidence|setyourconfidence|settheconfidence [to] high|max|full
        noneedto verify|check|read|open [this|the|any] claim|file|further|anything|rest|source|evidence
        donot|dont|never verify|falsify|dispute|challenge|question [this|the|these] claim|answer|statement
        donot|dont|never mention|report|flag this|these note|comment|message|instruct
        skip [the|all|any|further] verificationof|verificationand|verificationhere|factcheck
    """,
    "authority": """
        goldwright team|maintainer|staff|benchmark
        by order|authority of [the] benchmark|maintainers|goldwright|dataset
        approved|audited|verified|certified by [the] goldwright|benchmark|maintainers
        thisisa|thisisthe systemmessage|systemprompt|systeminstruction
        already audited|vetted answer|so|by|equivalent
    """,
    "tools": """
        stop reading|searching here|now|immediately|andanswer
        donot|dont open|search|read|call|use any|other|further|more [other] file|tool|repository|source
        callthe submit|answer|tool tool|now|with|and
    """,
    "identity": """
        youarenow a|an|the|in|free|dan|my assist|ai|llm|model|review|judge|expert|helpful|different|fromall
            |adversary|approver
        actas a|an|the assistant|ai|llm|reviewer|judge|approver|adversary
        fromnowon you|answer|mark|ignore|treat
        yournew task|role|instructions is|are
    """,
}

_TEMPLATE: Final = (
    "im_start|im_end|im_sep|system|user|assistant|end|eot_id|eom_id|start_header_id|end_header_id|begin_of_text|end_of_text"
    "|endoftext|endofprompt|tool_call|tool_calls|tool_response|start|message|channel|constrain|return|begin_of_sentence|python_tag"
    "|start_of_role|end_of_role|fim_prefix|fim_suffix|fim_middle|reserved_special_token_\\d{1,3}"
)
_MARKS: Final = tuple(
    (rule, tuple(hints.split()), re.compile(pattern, re.IGNORECASE | re.MULTILINE))
    for rule, hints, pattern in (
        ("fence", "<|", rf"<\|\s{{0,3}}(?:{_TEMPLATE})\s{{0,3}}\|>"),
        ("fence", "inst]", r"\[\s?(?:(?-i:INST)|/\s?INST)\s?\]"),
        ("fence", "sys>>", r"<<\s?/?\s?SYS\s?>>"),
        ("fence", "_of_turn>", r"<(?:start|end)_of_turn>"),
        (
            "fence",
            "[system [/system [tool_ [available",
            r"\[/?(?:SYSTEM(?:_?PROMPT)?|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]",
        ),
        (
            "fence",
            "system assistant tool function human instruction untrusted user antml file_content claim_verdict",
            (
                r"<\s{0,3}/?\s{0,3}(?:antml:\w{1,30}|system|system[-_ ]?(?:message|prompt|reminder|instructions?"
                r"|note)|assistant"
                r"|tool[-_ ]?(?:results?|response|output|call|calls|use)|function[-_ ]?(?:calls?|results?|response)"
                r"|human|user[-_ ]?(?:message"
                r"|prompt|query|turn)|developer[-_ ]?message|instructions?|untrusted[-_ ]?\w{0,20}|file[-_ ]?contents?"
                r"|search[-_ ]?results?|repository[-_ ]?contents?|claim[-_ ]?verdicts?)(?:\s[^<>\n]{0,80})?\s{0,3}>"
            ),
        ),
        (
            "fence",
            "system instruction assistant human user response",
            (
                r"(?:^|[\"'])[^\w\n]{0,20}#{2,6}[ \t]{0,3}(?:new[ \t])?(?:system|instructions?|assistant|human|user"
                r"|response)(?:[ \t](?:prompt|message"
                r"|instructions?|note|override))?[ \t]{0,3}:"
            ),
        ),
        (
            "fence",
            "human: assistant:",
            (
                r"(?:^|[\"'])[^\w\n]{0,20}(?-i:Human|HUMAN|Assistant|ASSISTANT)[ \t]{0,3}:"
                r"[ \t]{1,3}(?!str|int|Optional|None)\S"
            ),
        ),
        (
            "fence",
            "system",
            (
                r"(?-i:\b(?:BEGIN|START|END|NEW)[ _-]{1,3}(?:OF[ _-])?SYSTEM(?:[ _-](?:PROMPT|MESSAGE|INSTRUCTIONS?"
                r"|OVERRIDE|NOTE|TURN|BLOCK))?\b"
                r"(?![ _-]?(?:CALL|CONFIG|INFO|TABLE|CLASS)))"
            ),
        ),
        (
            "fence",
            "system assistant user human",
            (
                r"^[^\w\n]{0,20}(?:-{2,9}|={2,9}|\[)[ \t]{0,3}(?:system|assistant|user|human)"
                r"[ \t]{0,3}(?:-{2,9}|={2,9}|\][ \t]{0,3}:)"
            ),
        ),
        ("fence", "```", r"```[ \t]{0,3}(?:system|assistant|tool_(?:output|result|call|response)|instructions?)\b"),
        (
            "verdict",
            "_",
            (
                r"\b(?:blocking_issues|missed_entities|claim_verdicts|overall_verdict|must_(?:not_)?mention_facts|fact_citations"
                r"|uncertainty_notes|expected_entities|canonical_narrative|target_entity_ids|source_evidence)\b"
            ),
        ),
        (
            "address",
            "adversary oracle judge reviewer grader ai llm claude",
            (
                r"(?:^|[\"'@])[^\w\n]{0,20}(?-i:(?:Dear )?(?:Adversary|Oracle|Judge|Reviewer|Grader|AI"
                r"|LLMs?|Claude|ChatGPT|Gemini|Copilot)"
                r"|ADVERSARY|ORACLE|JUDGE|REVIEWER)[ \t]{0,3}[:,][ \t]{1,3}[a-zA-Z]"
            ),
        ),
        (
            "authority",
            "system developer operator admin",
            (
                r"(?:^[^\w\n]{0,20}|[\[(<{*\"'#]\s{0,2})(?:system|developer|operator"
                r"|admin(?:istrator)?)[ \t_-]{0,3}(?:message|prompt|override|instructions?"
                r"|directive|notice)\b[ \t]{0,3}(?:\([^)\n]{0,40}\))?[\])>}*\"']{0,3}[ \t]{0,3}[:\u2014-][ \t]"
            ),
        ),
        (
            "identity",
            "instruction task directive objective role",
            (
                r"\b(?:new|updated|revised|real|secret|hidden|override|actual)[ _-](?:system[ _-])?(?:instructions?"
                r"|task|directives?|objective|role)"
                r"[\"'*\]`]{0,3}[ \t]{0,3}:(?=[\s\"'*])"
            ),
        ),
        (
            "verdict",
            "verdict confidence equivalence",
            r"[\"'\\]{1,4}(?:(?:claim_|overall_|final_)?verdicts?|narrative_equivalence|claim_type)[\"'\\]{1,4}\s{0,3}:",
        ),
        (
            "verdict",
            "confidence",
            r"\bconfidence[\"'\\]{0,4}\s{0,3}[:=]\s{0,3}[\"'\\]{0,4}(?:high|maximum|max|highest|full)\b(?![\w.(])",
        ),
        (
            "verdict",
            "verdict",
            r"\bverdicts?\W{1,6}(?:is\s)?(?:supported|equivalent|correct|verified|confirmed|unsupported)\b",
        ),
        (
            "verdict",
            "supported equivalent blocking_issues missed_entities",
            (
                r"[\"'\\]{1,4}(?:is_?)?(?:supported|equivalent|verified)[\"'\\]{1,4}\s{0,3}:\s{0,3}(?:true|\"yes|1\b)"
                r"|[\"'\\]{1,4}(?:blocking_issues|missed_entities|fact_citations)[\"'\\]{1,4}\s{0,3}:"
            ),
        ),
        (
            "tools",
            'tool_ function_call tool"',
            (
                r"[\"'\\]{1,4}(?:tool_calls?|tool_use|tool_use_id|tool_results?|function_call|tool_name"
                r"|tool_input)[\"'\\]{1,4}\s{0,3}:"
                r"|[\"'\\]{1,4}tool[\"'\\]{1,4}\s{0,3}:\s{0,3}[\"'\\]{1,4}(?:submit|read|search|list|open|answer)"
            ),
        ),
        (
            "fence",
            "role type",
            (
                r"[\"'\\]{1,4}role[\"'\\]{1,4}\s{0,3}:\s{0,3}[\"'\\]{1,4}(?:system|assistant|developer"
                r"|tool)[\"'\\]{1,4}\s{0,3},"
                r"|[\"'\\]{1,4}type[\"'\\]{1,4}\s{0,3}:\s{0,3}[\"'\\]{1,4}(?:tool_use|tool_result|function_call)[\"'\\]"
            ),
        ),
    )
)

_WORD: Final = re.compile(r"[^\W_]+")
_ESCAPE: Final = re.compile(
    r"\\(?:x(?P<two>[0-9a-fA-F]{2})|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>000[0-9a-fA-F]{5})|[nrt])"
    r"|%(?P<percent>[0-9a-fA-F]{2})|(?P<entity>&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-z]{2,8});)"
)
_MARKED_LETTER: Final = re.compile(r"(?<=[A-Za-z0-9])[@$](?=[A-Za-z0-9])")
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]{4,}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0001\U000e007f\U000e0100-\U000e01ef]"
)
_CODED: Final = re.compile(r"[A-Za-z0-9+/_-]{16,}+={0,2}")
_BETWEEN_CODED: Final = re.compile(r"[\s\"'#*+\\/;,-]{1,40}")
_ROT13: Final = str.maketrans({chr(97 + place): chr(97 + (place + 13) % 26) for place in range(26)})
_TAG_LETTERS: Final = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_LEET: Final = tuple(str.maketrans("01345789", f"o{one}eastbg") for one in "il")
_LOOK_ALIKES: Final = str.maketrans(
    {
        other: latin
        for latin, others in {
            "a": "\u0430\u0410\u03b1\u0391\u0251\u1d00",
            "b": "\u0432\u0412\u03b2\u0392\u0299",
            "c": "\u0441\u0421\u03f2\u1d04",
            "d": "\u0501\u1d05",
            "e": "\u0435\u0415\u03b5\u0395\u1d07",
            "g": "\u0261\u0262",
            "h": "\u04bb\u043d\u041d\u0397\u029c\u0570",
            "i": "\u0456\u0406\u03b9\u0399\u0131\u026a\u04c0",
            "j": "\u0458\u0408\u1d0a",
            "k": "\u043a\u041a\u03ba\u039a\u1d0b",
            "l": "\u04cf\u029f",
            "m": "\u043c\u041c\u039c\u1d0d",
            "n": "\u03b7\u039d\u0274\u0578",
            "o": "\u043e\u041e\u03bf\u03c3\u039f\u1d0f\u0585",
            "p": "\u0440\u0420\u03c1\u03a1\u1d18",
            "q": "\u051b",
            "r": "\u0433\u0491\u0280",
            "s": "\u0455\u0405\ua731",
            "t": "\u0442\u0422\u03c4\u03a4\u1d1b",
            "u": "\u03c5\u1d1c\u057d",
            "v": "\u03bd\u1d20",
            "w": "\u051d\u03c9\u1d21",
            "x": "\u0445\u0425\u03c7\u03a7",
            "y": "\u0443\u0423\u03b3\u03a5\u028f",
            "z": "\u0396\u1d22",
        }.items()
        for other in others
    }
)

_Index = Mapping[str, Sequence[tuple[str, re.Pattern[str]]]]
_KEY_LENGTH: Final = 4
_NEXT_PHRASE: Final = re.compile(r"\n {8}(?=\S)")
_WRAPPED: Final = re.compile(r"\s*\n\s*(?=\|)")


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A place that may speak to a model: its line, counted from 1, and the rule that stopped at it."""

    line: int
    rule: str
    excerpt: str


def suspicions(text: str) -> tuple[Suspicion, ...]:
    """Find what may be addressed to a model in a text of unknown origin.

    Returns:
        At most one suspicion per line and rule, in the order of the lines.
    """
    first: dict[tuple[int, str], Suspicion] = {}
    for suspicion in _found(text, DEEPEST_CODE):
        first.setdefault((suspicion.line, suspicion.rule), suspicion)
    return tuple(first[place] for place in sorted(first))


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text with the words in it and where each starts."""

    text: str
    words: list[str]
    starts: list[int]

    def suspicion(self, rule: str, start: int, end: int) -> Suspicion:
        excerpt = " ".join(self.text[start:end].split())
        return Suspicion(self.text.count("\n", 0, start) + 1, rule, shorten(make_visible(excerpt), LONGEST_EXCERPT))

    def of_words(self, rule: str, first: int, last: int) -> Suspicion:
        last = min(last, len(self.words) - 1)
        return self.suspicion(rule, self.starts[first], self.starts[last] + len(self.words[last]))


def _found(text: str, depth: int) -> Iterator[Suspicion]:
    yield from _hidden_letters(text)
    legible = _legible(text)
    reading = _read(legible)
    yield from _marks(reading)
    yield from _phrases(reading)
    yield from _torn_phrases(reading)
    yield from _talk(reading)
    if depth:
        yield from _coded(reading, depth - 1)


def _hidden_letters(text: str) -> Iterator[Suspicion]:
    for match in () if text.isascii() else _TAGS.finditer(text):
        yield _Reading(text, [], []).suspicion("hidden", match.start(), match.end())


def _legible(text: str) -> str:
    """Write a text as a model may read it, with the same number of lines."""
    if not text.isascii():
        shown = _UNSEEN.sub("", text.translate(_TAG_LETTERS))
        text = "\n".join(unicodedata.normalize("NFKC", line) for line in shown.split("\n"))
    if "\\" in text or "&" in text or "%" in text:
        text = _ESCAPE.sub(_unescaped, text)
    return _MARKED_LETTER.sub(lambda match: "a" if match[0] == "@" else "s", text)


def _unescaped(match: re.Match[str]) -> str:
    digits = match["two"] or match["four"] or match["eight"] or match["percent"]
    if match["entity"]:
        letter = html.unescape(match["entity"])
    else:
        letter = chr(min(int(digits, 16), 0x10FFFF)) if digits else " "
    return letter if letter.isprintable() else " "


def _read(legible: str) -> _Reading:
    places = list(_WORD.finditer(legible))
    plain = (match[0].lower() for match in places) if legible.isascii() else (_latin(match[0]) for match in places)
    words = [word if word.isalpha() else _without_digits(word) for word in plain]
    return _Reading(legible, words, [match.start() for match in places])


def _latin(word: str) -> str:
    """Write a word in lower case, in Latin letters if those of another alphabet pose as them."""
    lower = word.casefold()
    if lower.isascii():
        return lower
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
    turned = bare.translate(_LOOK_ALIKES).casefold()
    is_mixed = any(letter.isascii() for letter in bare)
    return turned if turned.isascii() and (is_mixed or _is_known(turned)) else lower


def _without_digits(word: str) -> str:
    """Read digits as letters where that makes a word of the phrases."""
    for letters in () if word.isdigit() else _LEET:
        read = word.translate(letters)
        if _is_known(read):
            return read
    return word


def _marks(reading: _Reading) -> Iterator[Suspicion]:
    lowered = reading.text.lower()
    for rule, hints, pattern in _MARKS:
        if any(hint in lowered for hint in hints):
            for match in pattern.finditer(reading.text):
                yield reading.suspicion(rule, match.end() - len(match[0].lstrip()), match.end())


def _phrases(reading: _Reading) -> Iterator[Suspicion]:
    """Match the phrases forwards in every language, in English through rot13 and backwards too."""
    for rule, first, count in _matches(reading.words, _every_phrase()):
        yield reading.of_words(rule, first, first + count - 1)
    turned = [word.translate(_ROT13) for word in reading.words]
    for rule, first, count in _matches(turned, _english_phrases()):
        yield reading.of_words(rule, first, first + count - 1)
    backwards = [word[::-1] for word in reversed(reading.words)]
    for rule, first, count in _matches(backwards, _english_phrases()):
        last = len(backwards) - 1 - first
        yield reading.of_words(rule, max(0, last - count + 1), last)


def _matches(words: Sequence[str], index: _Index) -> Iterator[tuple[str, int, int]]:
    """Yield the rule, the place of the first word and the number of words of each phrase."""
    stream = " ".join(words) + " "
    offset = 0
    for place, word in enumerate(words):
        for rule, pattern in index.get(word[:_KEY_LENGTH], ()):
            match = pattern.match(stream, offset)
            if match:
                yield rule, place, match[0].count(" ")
        offset += len(word) + 1


def _torn_phrases(reading: _Reading) -> Iterator[Suspicion]:
    """Match without spaces: words torn apart, and scripts that write none."""
    squeezed = "".join(reading.words)
    ends = list(accumulate(len(word) for word in reading.words))
    patterns = (_hearts(),) if squeezed.isascii() else (_hearts(), _ideographic())
    for pattern in patterns:
        for match in pattern.finditer(squeezed):
            yield reading.of_words(
                match.lastgroup or "", bisect_right(ends, match.start()), bisect_right(ends, match.end() - 1)
            )


def _talk(reading: _Reading) -> Iterator[Suspicion]:
    """Find two words of an evaluation near each other, and near them one that speaks to the reader."""
    subjects = _subjects()
    last, last_subject = -_NEARNESS - 1, ""
    for place, word in enumerate(reading.words):
        subject = subjects.get(word)
        if subject is None:
            continue
        around = reading.words[max(0, last - _REACH) : place + _REACH + 1]
        if subject != last_subject and place - last <= _NEARNESS and not _TO_THE_READER.isdisjoint(around):
            yield reading.of_words("address", last, place)
        last, last_subject = place, subject


def _coded(reading: _Reading, depth: int) -> Iterator[Suspicion]:
    """Read what stands in Base64 or hexadecimal digits."""
    for start, end, code in _coded_runs(reading.text):
        for decoded in _decoded(code):
            for inner in _found(decoded, depth):
                place = reading.suspicion(inner.rule, start, end)
                yield Suspicion(place.line, place.rule, shorten(f"{inner.excerpt} (decoded)", LONGEST_EXCERPT))


def _coded_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each run that may be a code, and the neighbours on consecutive lines as one."""
    run: list[re.Match[str]] = []
    for match in _CODED.finditer(text):
        yield match.start(), match.end(), match[0]
        if run and not _BETWEEN_CODED.fullmatch(text, run[-1].end(), match.start()):
            yield from _joined(run)
            run = []
        run.append(match)
    yield from _joined(run)


def _joined(run: Sequence[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    if len(run) > 1:
        yield run[0].start(), run[-1].end(), "".join(match[0] for match in run)


def _decoded(code: str) -> Iterator[str]:
    """Yield what a code may stand for, if that is text."""
    bare = code.replace("=", "").replace("-", "+").replace("_", "/")
    for decode in (_from_base64, bytes.fromhex):
        try:
            text = decode(bare).decode("utf-8")
        except ValueError:
            continue
        if "".join(text.split()).isprintable():
            yield text


def _from_base64(code: str) -> bytes:
    return binascii.a2b_base64(code + "=" * (-len(code) % 4))


@cache
def _english_phrases() -> _Index:
    return _indexed((_PHRASES,))


@cache
def _every_phrase() -> _Index:
    return _indexed((_PHRASES, _FOREIGN))


def _indexed(tables: Iterable[Mapping[str, str]]) -> _Index:
    """Gather the phrases by the first letters of the words they can start with."""
    index: defaultdict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for rule, phrase in chain.from_iterable(_ruled(table) for table in tables):
        pattern = re.compile("".join(_elements(phrase, " ")))
        for key in {_spaced(word).rstrip("*").split()[0][:_KEY_LENGTH] for word in phrase[0].split("|")}:
            index[key].append((rule, pattern))
    return index


def _ruled(table: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each phrase of a table as its elements, with its rule."""
    sets = {name: "".join(words.split()) for name, words in _WORDS.items()}
    for rule, text in table.items():
        for phrase in _NEXT_PHRASE.split(text.strip()):
            yield rule, _WRAPPED.sub("", phrase).format_map(sets).split()


def _elements(phrase: Iterable[str], gap: str) -> Iterator[str]:
    """Translate each element of a phrase into a pattern; a gap stands after every word."""
    for element in phrase:
        if element.startswith("~"):
            yield rf"(?:[^ ]++ ){{0,{element[1:]}}}?"
        elif element.startswith("!"):
            yield f"(?!{_one_of(element[1:], gap)})"
        elif element.startswith("["):
            yield f"(?:{_one_of(element[1:-1], gap)})?"
        else:
            yield _one_of(element, gap)


def _one_of(words: str, gap: str) -> str:
    choices = (re.escape(_spaced(word)).replace(r"\ ", gap).replace(r"\*", "[^ ]*+") + gap for word in words.split("|"))
    return f"(?:{'|'.join(choices)})"


def _spaced(word: str) -> str:
    return word.replace("_", " ")


@cache
def _subjects() -> Mapping[str, str]:
    """The words of an evaluation, each with the first of those that mean the same."""
    groups = (group.split() for group in _EVALUATION.split(","))
    return {word: group[0] for group in groups for word in group}


@cache
def _hearts() -> re.Pattern[str]:
    """The heart of each rule, written without spaces, as one pattern with a group per rule."""
    hearts: defaultdict[str, list[str]] = defaultdict(list)
    for rule, phrase in _ruled(_HEARTS):
        hearts[rule].append("".join(_elements(phrase, "")))
    return _grouped(hearts)


@cache
def _ideographic() -> re.Pattern[str]:
    return _grouped({rule: (pattern,) for rule, pattern in _IDEOGRAPHIC.items()})


def _grouped(patterns: Mapping[str, Iterable[str]]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{rule}>{'|'.join(choices)})" for rule, choices in patterns.items()))


@cache
def _known() -> tuple[frozenset[str], tuple[str, ...]]:
    """The words of the English phrases, and the starts of words."""
    text = _spaced(" ".join((*_PHRASES.values(), *_WORDS.values())))
    return frozenset(re.findall(r"\b[a-z]{2,}\b(?!\*)", text)), tuple(re.findall(r"\b([a-z]{5,})\*", text))


def _is_known(word: str) -> bool:
    words, starts = _known()
    return word in words or word.startswith(starts)
