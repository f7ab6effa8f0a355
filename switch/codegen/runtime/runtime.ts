import { readBits } from '../../runtime/bit-fields';
import { BitString } from '../../runtime/bit-string';
import { divide, remainder, shiftLeft, shiftRight, drawBetween } from '../../runtime/bits';
import { crc16, crc32, crcCcitt } from '../../runtime/crc';
import { hash, hashNumber } from '../../runtime/hash';
import { finishChecksum } from '../../../common/wire/ip/checksum';
import * as calls from './calls';
import * as headers from '../../executor/header-operations';
import { failAssertion, formatMessage } from '../../executor/executor';
import * as packetBytes from './packet-bytes';
import * as words from './words';

/** Largest input of a hash that has fixed scratch. */
export const HASH_BYTES = 256;

/** Everything that generated code may call, under the names that it uses. */
export const RUNTIME = {
  ...words,
  ...headers,
  ...calls,
  ...packetBytes,
  failAssertion,
  formatMessage,
  drawBetween,
  divide,
  remainder,
  shiftLeft,
  shiftRight,
  readBits,
  hash,
  hashNumber,
  finishChecksum,
  /** Scratch for hashes and checksums. */
  hashInput: new BitString(),
  hashBytes: new Uint8Array(HASH_BYTES),
  crc16,
  crc32,
  crcCcitt,
};

export type Runtime = typeof RUNTIME;
