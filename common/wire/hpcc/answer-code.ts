import { MAC_LENGTH, mappedAddress } from '../security/message-mac';
import { sipHash24 } from '../security/siphash';

/** Addresses of an answer: 4 or 16 bytes each, as in its IP header. */
export interface AnswerAddresses {
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
}

/**
 * The code of an answer of a switch (p4src/v1model/profiles/hpcc-feedback-signed): SipHash-2-4, since a switch
 * can compute no HMAC, and zeros for the rest of 16 bytes. It is over
 *
 *     | source 128 | destination 128 | transport header 128 | switch response 320 |
 *     | key id 8 | r 24 | sequence 64 |
 *
 * IPv4 addresses are mapped into IPv6. No label is needed: other messages under such a key are shorter,
 * and the hash ends with the length.
 * @param key 16 bytes.
 * @param message from the transport header to the sequence.
 */
export function answerCode(
  key: Uint8Array,
  { source, destination }: AnswerAddresses,
  message: Uint8Array,
): Uint8Array {
  const outer = [mappedAddress(source), mappedAddress(destination)] as const;
  const input = new Uint8Array(2 * ADDRESS_LENGTH + message.length);
  input.set(outer[0]);
  input.set(outer[1], ADDRESS_LENGTH);
  input.set(message, 2 * ADDRESS_LENGTH);
  const code = new Uint8Array(MAC_LENGTH);
  code.set(sipHash24(key, input));
  return code;
}

const ADDRESS_LENGTH = 16;
