export CC=gcc CXX=g++ CPP=cpp AR=ar AS=as LD=ld NM=nm OBJCOPY=objcopy OBJDUMP=objdump RANLIB=ranlib \
  READELF=readelf SIZE=size STRINGS=strings STRIP=strip
export NIX_CC=@out@ NIX_BINTOOLS=@bintools@
