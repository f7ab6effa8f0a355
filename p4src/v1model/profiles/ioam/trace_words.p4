#ifndef TRACE_WORDS_P4
#define TRACE_WORDS_P4

/* Words that a trace type asks for: bits 8 to 10 have two each, 22 and 23 count elsewhere. */
bit<16> trace_words(in bit<24> t) {
    return (bit<16>)t[23:23] + (bit<16>)t[22:22] + (bit<16>)t[21:21] + (bit<16>)t[20:20] +
           (bit<16>)t[19:19] + (bit<16>)t[18:18] + (bit<16>)t[17:17] + (bit<16>)t[16:16] +
           2 * ((bit<16>)t[15:15] + (bit<16>)t[14:14] + (bit<16>)t[13:13]) +
           (bit<16>)t[12:12] + (bit<16>)t[11:11] + (bit<16>)t[10:10] + (bit<16>)t[9:9] +
           (bit<16>)t[8:8] + (bit<16>)t[7:7] + (bit<16>)t[6:6] + (bit<16>)t[5:5] +
           (bit<16>)t[4:4] + (bit<16>)t[3:3] + (bit<16>)t[2:2];
}

#endif  /* TRACE_WORDS_P4 */
