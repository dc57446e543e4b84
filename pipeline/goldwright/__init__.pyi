from goldwright.api import *  # noqa: F403  # the public names are those that the library lists
from goldwright.api import __all__ as __all__

__version__: str
