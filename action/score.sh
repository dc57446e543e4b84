#!/usr/bin/env bash
# Scores the retrievers of the action's inputs; all of them come in as environment variables, so
# that no text of a workflow is taken for code.
set -uo pipefail

report="${RUNNER_TEMP:-/tmp}/goldwright-report.md"
rm -f "$report"
echo "report=$report" >>"$GITHUB_OUTPUT"

retrievers=()
while IFS= read -r line; do
  line="${line#"${line%%[![:space:]]*}"}"
  line="${line%"${line##*[![:space:]]}"}"
  [ -n "$line" ] && retrievers+=(--retriever "$line")
done <<<"$RETRIEVERS"
if [ ${#retrievers[@]} -eq 0 ]; then
  echo "goldwright action: retrievers: wanted one or more, a line each" >&2
  exit 2
fi

further=()
if [ -n "$ARGUMENTS" ]; then
  # Words as a command line has them, with quotes and without expansions.
  while IFS= read -r -d '' word; do further+=("$word"); done < <(
    ARGUMENTS="$ARGUMENTS" python -c '
import os, shlex, sys
for word in shlex.split(os.environ["ARGUMENTS"]):
    sys.stdout.write(word + "\0")'
  )
fi

# A single retriever needs no name: "NAME=SPEC" becomes "SPEC".
spec_of() {
  if [[ "$1" =~ ^[A-Za-z0-9_.@+\ -]{1,40}=(.+)$ ]]; then echo "${BASH_REMATCH[1]}"; else echo "$1"; fi
}
first="$(spec_of "${retrievers[1]}")"

code=0
if [ ${#retrievers[@]} -gt 2 ]; then
  goldwright bench "$DATASET" --repo "$REPO" "${retrievers[@]}" --markdown "$report" \
    ${further[@]+"${further[@]}"} || code=$?
else
  gates=()
  [ "$GATES" = true ] && gates=(--gates)
  goldwright eval "$DATASET" --repo "$REPO" --retriever "$first" --markdown "$report" \
    ${gates[@]+"${gates[@]}"} ${further[@]+"${further[@]}"} || code=$?
fi

if [ -n "$BASELINE" ]; then
  check="${RUNNER_TEMP:-/tmp}/goldwright-baseline.txt"
  goldwright baseline check "$BASELINE" "$DATASET" --repo "$REPO" \
    --retriever "$first" | tee "$check" || code=$?
  {
    echo
    echo "<details><summary>Baseline: $(tail -n 2 "$check" | head -n 1)</summary>"
    echo
    sed 's/^/    /' "$check"
    echo
    echo "</details>"
  } >>"$report"
fi

[ -f "$report" ] && cat "$report" >>"$GITHUB_STEP_SUMMARY"
exit "$code"
