"""Marks of chat templates, of tool replies and of the records that a role answers with."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.scanners.injection.harmless_code import is_plain_field
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.scanners.injection.word_stream import WordStream

_TEMPLATE: Final = (
    "im_start|im_end|im_sep|system|user|assistant|end|eot_id|eom_id|start_header_id|end_header_id|begin_of_text|end_of_text"
    "|endoftext|endofprompt|tool_call|tool_calls|tool_response|start|message|channel|constrain|return|begin_of_sentence|python_tag"
    "|start_of_role|end_of_role|fim_prefix|fim_suffix|fim_middle|reserved_special_token_\\d{1,3}"
)
MARKS: Final = tuple(
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
        (
            "fence",
            "```",
            r"```[ \t]{0,3}(?:system|assistant|tool_(?:output|result|call|response)|instructions?)\b",
        ),
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


def marked(reading: WordStream) -> Iterator[Suspicion]:
    """Find the marks in the text itself, whose capitals and punctuation they need."""
    lowered = reading.text.lower()
    for rule, hints, pattern in MARKS:
        if any(hint in lowered for hint in hints):
            for match in pattern.finditer(reading.text):
                start = match.end() - len(match[0].lstrip())
                if not is_plain_field(reading.text, start):
                    yield reading.suspicion(rule, start, match.end())
