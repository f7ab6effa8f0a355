import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { DigestSettings } from '../../entities/named-entity';
import { sentObject, signed64 } from './wire-values';

/** The message that enables and configures a digest. @throws InputError naming it. */
export function encodeDigest(index: P4InfoIndex, entity: DigestSettings): p4.DigestEntry {
  const { id, name } = index.digests.get(entity.digest);
  const message = new p4.DigestEntry({ digestId: id });
  if (entity.config === undefined) return message;
  const { maxTimeoutNs, maxListSize, ackTimeoutNs } = entity.config;
  if (!Number.isInteger(maxListSize) || maxListSize < 0 || maxListSize >= 2 ** 31) {
    throw new InputError(`digest '${name}': wanted a list size from 0, found ${maxListSize}`);
  }
  message.config = new p4.DigestEntryConfig({
    maxTimeoutNs: signed64(maxTimeoutNs, `digest '${name}', max_timeout_ns`),
    maxListSize,
    ackTimeoutNs: signed64(ackTimeoutNs, `digest '${name}', ack_timeout_ns`),
  });
  return message;
}

/** A digest's settings that a switch has sent. @throws InputError when P4Info lacks the digest. */
export function decodeDigest(index: P4InfoIndex, message: p4.DigestEntry): DigestSettings {
  const digest = sentObject(index.digests, message.digestId).name;
  if (!message.hasConfig) return { kind: 'digest', digest };
  const { maxTimeoutNs, maxListSize, ackTimeoutNs } = message.config;
  const times = { maxTimeoutNs: BigInt(maxTimeoutNs), ackTimeoutNs: BigInt(ackTimeoutNs) };
  return { kind: 'digest', digest, config: { ...times, maxListSize } };
}
