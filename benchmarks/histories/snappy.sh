# snappy as its subject, but static: what a shared library offers to others counts for every test.
. benchmarks/subjects/snappy.sh
subject_configure=(-DSNAPPY_BUILD_BENCHMARKS=OFF)
