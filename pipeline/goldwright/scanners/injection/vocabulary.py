"""The sets of words that the phrases share: whom a text speaks to, in whose name and to what end."""

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, str]] = {
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
