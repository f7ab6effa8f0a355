import { InputError } from '../../../common/errors';
import { codeName, RPC_CODE } from '../../../common/p4runtime/rpc-code';
import { electionIdFrom } from '../../../common/p4runtime/election-id';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { Data } from '../../entities/value';
import type { EntryKey } from '../../entities/match';
import type { EntryExtras } from '../../entities/table-entry';
import { sentObject } from '../entities/wire-values';
import type { SwitchError } from './errors';
import { decodeData } from '../entities/p4-data';
import { decodePacketIn, decodePacketOut } from './packet-io';
import type { PacketIn, PacketOut } from './packet-io';
import { decodeEntryKey } from '../entities/table-entry';

/** Standing of this controller in the arbitration, as the switch reported it last. */
export type Standing =
  | { readonly kind: 'primary' }
  /** Somebody else is primary, with this election id. */
  | { readonly kind: 'backup'; readonly highest: bigint | undefined }
  /** Nobody is primary; the highest election id ever seen was this one. */
  | { readonly kind: 'no-primary'; readonly highest: bigint | undefined };

/** Samples that the data plane wants known. */
export interface DigestList {
  readonly digest: string;
  readonly listId: bigint;
  /** Time at which the switch made the list, in ns since the epoch. */
  readonly timestampNs: bigint;
  readonly samples: readonly Data[];
}

/** An entry that no packet has hit for as long as its idle timeout says. */
export type IdleEntry = EntryKey & Pick<EntryExtras, 'idleTimeoutNs' | 'metadata'>;

/** Everything that may come on the stream, and its end. */
export type StreamEvent =
  | { readonly kind: 'arbitration'; readonly standing: Standing }
  | ({ readonly kind: 'packet-in' } & PacketIn)
  | ({ readonly kind: 'digest' } & DigestList)
  | {
      readonly kind: 'idle-timeout';
      /** Time at which the switch noticed, in ns since the epoch. */
      readonly timestampNs: bigint;
      readonly entries: readonly IdleEntry[];
    }
  | StreamErrorEvent
  /** A message that this library or its P4Info does not know. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** So many events were lost because nobody took them. */
  | { readonly kind: 'dropped'; readonly count: number }
  /** The last event. */
  | { readonly kind: 'ended'; readonly reason: SwitchError };

/** The switch refused something that was sent on the stream. */
export interface StreamErrorEvent {
  readonly kind: 'stream-error';
  readonly codeName: string;
  readonly reason: string;
  readonly packetOut?: PacketOut;
  readonly digestAck?: { readonly digest: string; readonly listId: bigint };
}

/** A message of the stream by name; a message that cannot be read is an event too. */
export function decodeStreamMessage(
  index: P4InfoIndex | undefined,
  message: p4.StreamMessageResponse,
): StreamEvent {
  try {
    return decode(index, message);
  } catch (error) {
    if (error instanceof InputError) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

function decode(index: P4InfoIndex | undefined, message: p4.StreamMessageResponse): StreamEvent {
  if (message.hasArbitration) {
    return { kind: 'arbitration', standing: standingOf(message.arbitration) };
  }
  if (message.hasPacket) {
    return { kind: 'packet-in', ...decodePacketIn(requireIndex(index), message.packet) };
  }
  if (message.hasDigest) {
    return { kind: 'digest', ...decodeDigestList(requireIndex(index), message.digest) };
  }
  if (message.hasIdleTimeoutNotification) {
    const { tableEntry, timestamp } = message.idleTimeoutNotification;
    const entries = tableEntry.map((each) => decodeIdle(requireIndex(index), each));
    return { kind: 'idle-timeout', timestampNs: BigInt(timestamp), entries };
  }
  if (message.hasError) return decodeStreamError(index, message.error);
  throw new InputError('from the switch: a stream message that P4Runtime 1.5 does not define');
}

function standingOf(update: p4.MasterArbitrationUpdate): Standing {
  const code = update.hasStatus ? update.status.code : RPC_CODE.OK;
  if (code === RPC_CODE.OK) return { kind: 'primary' };
  const highest = update.hasElectionId ? electionIdFrom(update.electionId) : undefined;
  return { kind: code === RPC_CODE.NOT_FOUND ? 'no-primary' : 'backup', highest };
}

function decodeDigestList(index: P4InfoIndex, message: p4.DigestList): DigestList {
  const { name, dataType } = sentObject(index.digests, message.digestId);
  return {
    digest: name,
    listId: BigInt(message.listId),
    timestampNs: BigInt(message.timestamp),
    samples: message.data.map((each) => decodeData(dataType, each, `digest '${name}'`)),
  };
}

/** Switches may leave out the action, but always tell the key. */
function decodeIdle(index: P4InfoIndex, message: p4.TableEntry): IdleEntry {
  const { idleTimeoutNs, metadata } = message;
  return {
    ...decodeEntryKey(index, message),
    ...(idleTimeoutNs !== '0' && { idleTimeoutNs: BigInt(idleTimeoutNs) }),
    ...(metadata.length > 0 && { metadata }),
  };
}

function decodeStreamError(
  index: P4InfoIndex | undefined,
  message: p4.StreamError,
): StreamErrorEvent {
  const event = {
    kind: 'stream-error',
    codeName: codeName(message.canonicalCode),
    reason: message.message,
  } as const;
  if (index === undefined) return event;
  if (message.hasPacketOut) {
    return { ...event, packetOut: decodePacketOut(index, message.packetOut.packetOut) };
  }
  if (message.hasDigestListAck) {
    const { digestId, listId } = message.digestListAck.digestListAck;
    const digest = index.digests.byNumber(digestId)?.name ?? String(digestId);
    return { ...event, digestAck: { digest, listId: BigInt(listId) } };
  }
  return event;
}

function requireIndex(index: P4InfoIndex | undefined): P4InfoIndex {
  if (index !== undefined) return index;
  throw new InputError('no P4Info yet to read a message of the stream by');
}
