/** Hash functions whose result depends on nothing but their input. */
export type FixedHash =
  'crc16' | 'crcCCITT' | 'crc32' | 'csum16' | 'xor16' | 'xor32' | 'identity' | 'xxh64' | 'hash_ex';

/** Checksums whose parameters the control plane can change, calculation by calculation. */
export type CustomCrc = 'crc8_custom' | 'crc16_custom' | 'crc32_custom' | 'crc64_custom';

/** All that a calculation can be: the first kind, and those that keep settings or state. */
export type HashAlgorithm =
  FixedHash | CustomCrc | 'toeplitz' | 'round_robin' | 'round_robin_consistent';
