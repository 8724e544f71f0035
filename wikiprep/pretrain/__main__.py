"""`torchrun … -m wikiprep.pretrain`: `wikiprep pretrain` as one of several ranks."""

import sys

from wikiprep.cli.main import main

if __name__ == "__main__":
    sys.argv[1:1] = ["pretrain"]
    main()
