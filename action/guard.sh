#!/usr/bin/env bash
# Shows which records a change of the code touches; all inputs come in as environment variables, so
# that no text of a workflow is taken for code.
set -uo pipefail

report="${RUNNER_TEMP:-/tmp}/goldwright-guard.md"
rm -f "$report"
echo "report=$report" >>"$GITHUB_OUTPUT"

code=0
goldwright guard "$DATASET" --repo "$REPO" --rev "$COMMIT" --links "$LINKS" \
  --decide "$DECIDE" --markdown "$report" || code=$?

[ -f "$report" ] && cat "$report" >>"$GITHUB_STEP_SUMMARY"
# 1 says that people are needed; whatever else went wrong is an error.
if [ "$code" -eq 1 ] && [ "$REQUIRED" != true ]; then code=0; fi
exit "$code"
