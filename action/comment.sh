#!/usr/bin/env bash
# Comments the report on the pull request, in place of the last comment of this action.
set -euo pipefail

if [ ! -s "$REPORT" ]; then
  echo "goldwright action: there is no report to comment"
  exit 0
fi
gh pr comment "$PULL_REQUEST" --repo "$GITHUB_REPOSITORY" --body-file "$REPORT" \
  --edit-last --create-if-none
