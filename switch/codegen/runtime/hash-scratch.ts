/** Largest input of a hash that has fixed scratch. */
export const HASH_BYTES = 256;
