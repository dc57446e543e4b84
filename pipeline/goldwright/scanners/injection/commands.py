"""What a model may be told to do: to drop its orders, to leave its tools alone, to be somebody
else.
"""

from collections.abc import Mapping
from typing import Final

COMMANDS: Final[Mapping[str, str]] = {
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
}
