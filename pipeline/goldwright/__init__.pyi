from goldwright.api import *  # noqa: F403  # the public names are those that the library lists

__version__: str
