"""What a model may be asked to conclude, to keep to itself or not to verify."""

from collections.abc import Mapping
from typing import Final

CONCLUSIONS: Final[Mapping[str, str]] = {
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
}
