import { assert } from '../assert';
import { Uint128 } from './generated/p4/v1/p4runtime';

const LOW_BITS = 64n;

/** The greatest number that an election id can be. */
export const ELECTION_ID_MAX = (1n << 128n) - 1n;

/** The 128-bit number of an election id, or undefined for an unset one, which never wins. */
export function electionIdFrom(message: Uint128 | undefined): bigint | undefined {
  return message && (BigInt(message.high) << LOW_BITS) | BigInt(message.low);
}

export function electionIdMessage(id: bigint): Uint128 {
  assert(id >= 0n && id >> 128n === 0n, `an election id has 128 bits, but ${id} has more`);
  const low = BigInt.asUintN(64, id);
  return new Uint128({ high: String(id >> LOW_BITS), low: String(low) });
}
