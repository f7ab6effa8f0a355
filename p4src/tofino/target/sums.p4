#ifndef TOFINO_SUMS_P4
#define TOFINO_SUMS_P4

/*
 * Preparation of the checksums of UDP and TCP in a parser by difference, so that damage stays
 * visible: of all that a program may change it takes away what came, and the deparser adds what
 * leaves. `get` takes away whatever the parser reads afterwards, too, so that only last states have
 * it. test/p4/tofino-models/target/model_target.p4 has the same, of nothing.
 */
#define SUM(name) Checksum() name;
#define SUM_LESS(name, ...) name.subtract({ __VA_ARGS__ })
/*
 * Annotation of states that take a word away twice: merged with the state before, the compiler
 * doubles another word on Tofino 2.
 */
#if __TARGET_TOFINO__ == 2
#define TAKES_TWICE @dontmerge("ingress") @dontmerge("egress")
#else /* Tofino 1 */
#define TAKES_TWICE /* no annotation */
#endif /* __TARGET_TOFINO__ */
#define KEEP_SUM(name) meta.target.l4_rest = name.get()

#define VERIFY_IPV4(verification) \
    verification.add(hdr.ipv4); \
    meta.arrival.bad_checksum = (bit<1>)verification.verify()

/* TCP with options passes as it came: they would fill 40 bytes of the packet header vector. */
#define PARSE_TCP_OPTIONS(next) transition accept

#endif  /* TOFINO_SUMS_P4 */
