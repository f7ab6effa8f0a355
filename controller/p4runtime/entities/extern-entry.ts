import { Any } from '../../../common/p4runtime/generated/google/protobuf/any';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { ExternInstance } from '../../entities/named-entity';
import { sentObject } from './wire-values';

/** The message of an extern's state, whose own message stays opaque. @throws InputError */
export function encodeExtern(index: P4InfoIndex, entity: ExternInstance): p4.ExternEntry {
  const type = index.externTypes.get(entity.externType);
  return new p4.ExternEntry({
    externTypeId: type.id,
    externId: type.instances.get(entity.extern).id,
    entry: new Any({ typeUrl: entity.entry.typeUrl, value: entity.entry.value }),
  });
}

/** An extern's state that a switch has sent. @throws InputError when P4Info lacks the extern. */
export function decodeExtern(index: P4InfoIndex, message: p4.ExternEntry): ExternInstance {
  const type = sentObject(index.externTypes, message.externTypeId);
  const { typeUrl, value } = message.hasEntry ? message.entry : new Any({});
  return {
    kind: 'extern',
    externType: type.name,
    extern: sentObject(type.instances, message.externId).name,
    entry: { typeUrl, value },
  };
}
