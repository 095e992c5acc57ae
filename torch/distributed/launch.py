"""`python -m torch.distributed.launch`: what torchrun was called before."""

from torch.distributed.run import main

if __name__ == "__main__":
    main()
