"""Record displays with Tapedeck."""

from . import types
from ._async.client import AsyncTapedeck
from ._async.recorder import AsyncRecorder
from ._calls import Clip
from ._sync.client import Tapedeck
from ._sync.recorder import Recorder
from .ci import ci_labels
from .errors import TapedeckError

__all__ = ["AsyncRecorder", "AsyncTapedeck", "Clip", "Recorder", "Tapedeck", "TapedeckError", "ci_labels", "types"]
