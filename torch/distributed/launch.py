"""`python -m torch.distributed.launch`: what torchrun was called before."""

from torch._absent import rest_of
from torch.distributed.run import get_args_parser, main, run

__getattr__, __dir__ = rest_of(__name__)


def parse_args(args):
    """A command line of torchrun; --use-env, which it once had, says what is always so."""
    parser = get_args_parser()
    parser.add_argument("--use-env", "--use_env", action="store_true", default=True)
    return parser.parse_args(args)


def launch(args) -> None:
    """torch.distributed.run.run()."""
    run(args)


if __name__ == "__main__":
    import sys

    main([arg for arg in sys.argv[1:] if arg not in ("--use-env", "--use_env")])
