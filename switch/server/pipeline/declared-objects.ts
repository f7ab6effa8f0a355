import type { P4Info } from '../../../common/p4runtime/generated/p4/config/v1/p4info';

/** Whether everything that one P4Info declares is in another, alike: names, numbers and shapes. */
export function declaresAll(old: P4Info, next: P4Info): boolean {
  const there = new Set(declared(next));
  return declared(old).every((each) => there.has(each));
}

/** All but what describes the package as a whole. */
function declared(info: P4Info): string[] {
  const kinds = [
    ...[info.tables, info.actions, info.actionProfiles, info.registers, info.digests],
    ...[info.counters, info.directCounters, info.meters, info.directMeters, info.valueSets],
    info.controllerPacketMetadata,
  ];
  return kinds.flatMap((objects, kind) =>
    objects.map((each) => `${kind} ${Buffer.from(each.serialize()).toString('latin1')}`),
  );
}
