"""A process that reads changes of files for another one."""

from goldwright.snapshot.indexing.code_changes import encoded_change
from goldwright.snapshot.indexing.parse_worker import answer_frames

if __name__ == "__main__":
    answer_frames(encoded_change)
