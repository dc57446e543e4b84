"""A process that looks for leads in files for another one."""

import msgspec

from goldwright.offline_agents.survey.file_survey import encoded_survey
from goldwright.snapshot.indexing.parse_worker import answer_frames


def main() -> None:
    """Answer each file, a path and its content, with the leads that it holds."""
    decoder = msgspec.msgpack.Decoder(tuple[str, bytes])

    def answer(request: bytes) -> bytes:
        path, data = decoder.decode(request)
        return encoded_survey(path, data)

    answer_frames(answer)


if __name__ == "__main__":
    main()
