import { sipHashKeyHalves } from '../../../common/wire/security/siphash';
import type { SigningDocument } from '../../document/signing';
import type { SwitchSpec } from '../../document/network';

/** The key that a switch signs with, as its program takes it. */
export function keyArguments(
  { key, keys }: Pick<SigningDocument, 'key' | 'keys'>,
  { node }: Pick<SwitchSpec, 'node'>,
) {
  const { id, bytes } = keys.find((each) => each.switch === node.name) ?? key;
  const pairs = bytes.match(/../g) ?? [];
  const { low, high } = sipHashKeyHalves(Uint8Array.from(pairs, (pair) => parseInt(pair, 16)));
  return { key_id: id, low: word(low), high: word(high) };
}

const word = ({ high, low }: { readonly high: number; readonly low: number }): bigint =>
  (BigInt(high) << 32n) | BigInt(low);
