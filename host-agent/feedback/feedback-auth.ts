import { ipv4Bytes } from '../../common/wire/ip/ipv4';
import { assert } from '../../common/assert';
import type { AuthTrailer } from '../../common/wire/security/message-mac';
import { AUTH_TRAILER_LENGTH, emitAuthTrailer } from '../../common/wire/security/message-mac';
import { parseAuthTrailer, MAC_LENGTH, macsAreEqual } from '../../common/wire/security/message-mac';
import { messageMac } from '../../common/wire/security/message-mac';
import { WireFault } from '../../common/wire/fault';
import type { HpccTransportHeader } from '../../common/wire/hpcc/hpcc-transport';
import { emitHpccTransport, hpccTransportLength } from '../../common/wire/hpcc/hpcc-transport';
import { HPCC_TRANSPORT_PORT } from '../../common/wire/hpcc/hpcc-transport';
import type { ReplayWindow } from '../../common/wire/security/replay-window';
import type { KeyRing } from './key-ring';

/** Source and destination of a feedback packet, as unsigned 32-bit IPv4 addresses. */
export interface FeedbackPath {
  readonly source: number;
  readonly destination: number;
}

/**
 * Reason why feedback was refused; `unauthenticated` also says that it had no trailer. `signed`: it has
 * one, and this host has no keys that could tell whether it is genuine.
 */
export type AuthRejection = 'unauthenticated' | 'signed' | 'replayed';

/** One label for all types of feedback: the code covers the header, which has the type. */
const LABEL_FEEDBACK = 'HPCC++FBCK1';

const WORD_MODULUS = 0x1_0000_0000;
const NO_CODE = new Uint8Array(MAC_LENGTH);

/**
 * The body with its trailer. `header.length` counts both, and its flags announce the trailer.
 * `sequence` is used once per flow.
 */
export function signFeedback(
  ring: KeyRing,
  path: FeedbackPath,
  header: HpccTransportHeader,
  { body, sequence }: { readonly body: Uint8Array; readonly sequence: number },
): Uint8Array {
  assert(header.length === body.length + AUTH_TRAILER_LENGTH, 'the header counts the trailer');
  const key = ring.key(ring.signing);
  assert(key !== undefined, 'the key that signs is in the ring');
  const headerLength = hpccTransportLength(header);
  const message = new Uint8Array(headerLength + header.length);
  emitHpccTransport(header, message, 0);
  message.set(body, headerLength);
  const high = Math.floor(sequence / WORD_MODULUS);
  const trailer: AuthTrailer = {
    keyId: ring.signing,
    sequence: { high, low: sequence - high * WORD_MODULUS },
    mac: NO_CODE,
  };
  emitAuthTrailer(trailer, message, message.length - AUTH_TRAILER_LENGTH);
  const codeAt = message.length - MAC_LENGTH;
  message.set(codeOf(ring, key, path, message.subarray(0, codeAt)), codeAt);
  return message.subarray(headerLength);
}

/**
 * Checks the packet whose transport header is at `offset` and has been parsed, in this order: key,
 * code, replay. Returns undefined if it is genuine and new.
 */
export function verifyFeedback(
  ring: KeyRing,
  path: FeedbackPath,
  packet: { readonly bytes: Uint8Array; readonly offset: number; readonly end: number },
  window: ReplayWindow,
): AuthRejection | undefined {
  const { bytes, offset, end } = packet;
  const trailer = parseAuthTrailer(bytes, end - AUTH_TRAILER_LENGTH, end);
  if (trailer instanceof WireFault) return 'unauthenticated';
  const key = ring.key(trailer.keyId);
  if (key === undefined) return 'unauthenticated';
  const code = codeOf(ring, key, path, bytes.subarray(offset, end - MAC_LENGTH));
  if (!macsAreEqual(code, trailer.mac)) return 'unauthenticated';
  return window.accept(trailer.sequence) === 'accepted' ? undefined : 'replayed';
}

function codeOf(
  ring: KeyRing,
  key: Uint8Array,
  { source, destination }: FeedbackPath,
  message: Uint8Array,
): Uint8Array {
  const context = {
    label: LABEL_FEEDBACK,
    source: ipv4Bytes(source),
    destination: ipv4Bytes(destination),
    destinationPort: HPCC_TRANSPORT_PORT,
  };
  return messageMac(context, message, (bytes) => ring.mac(key, bytes));
}
