import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { idsOf } from './compiled-program';
import { SAMPLE } from './sample-program';

const id = idsOf(SAMPLE);

/** Numbers of the sample program's objects, as its P4Info gives them. */
export const ID = {
  route: id('ingress.route.ipv4_route'),
  seed: id('ingress.route.ecmp_seed'),
  acl: id('ingress.acl'),
  mirror: id('ingress.mirror'),
  classes: id('ingress.classes'),
  marks: id('ingress.marks'),
  portRecord: id('egress.port_record'),
  noAction: id('NoAction'),
  forward: id('ingress.route.forward'),
  setSeed: id('ingress.route.set_seed'),
  mark: id('ingress.mark'),
  deny: id('ingress.deny'),
  sample: id('ingress.sample'),
  setRecord: id('egress.set_record'),
  noRecord: id('egress.no_record'),
  ecmp: id('ingress.route.ecmp'),
  samples: id('ingress.samples'),
} as const;

/** Bytes of a test: numbers below 256. */
export const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

export function action(actionId: number, ...values: Uint8Array[]): p4.Action {
  const params = values.map((value, i) => new p4.ActionParam({ paramId: i + 1, value }));
  return new p4.Action({ actionId, params });
}

export const forward = (port: number): p4.Action =>
  action(ID.forward, bytes(port), bytes(2, 0, 0, 0, 0, port), bytes(2, 1));

export const lpm = (value: Uint8Array, prefixLen: number): p4.FieldMatch =>
  new p4.FieldMatch({ fieldId: 1, lpm: new p4.FieldMatchLPM({ value, prefixLen }) });

export const exact = (fieldId: number, value: Uint8Array): p4.FieldMatch =>
  new p4.FieldMatch({ fieldId, exact: new p4.FieldMatchExact({ value }) });

export const insert = (entity: p4.Entity): p4.Update =>
  new p4.Update({ type: p4.UpdateType.INSERT, entity });

export const modify = (entity: p4.Entity): p4.Update =>
  new p4.Update({ type: p4.UpdateType.MODIFY, entity });

export const remove = (entity: p4.Entity): p4.Update =>
  new p4.Update({ type: p4.UpdateType.DELETE, entity });

export const entry = (fields: ConstructorParameters<typeof p4.TableEntry>[0]): p4.Entity =>
  new p4.Entity({ tableEntry: new p4.TableEntry(fields) });

/** The entry of a port in egress.port_record. */
export const portRecord = (port: number, capacity: Uint8Array): p4.Entity =>
  entry({
    tableId: ID.portRecord,
    match: [exact(1, port < 256 ? bytes(port) : bytes(port >> 8, port & 255))],
    action: new p4.TableAction({ action: action(ID.setRecord, capacity) }),
  });

export const member = (memberId: number, port: number): p4.Entity =>
  new p4.Entity({
    actionProfileMember: new p4.ActionProfileMember({
      actionProfileId: ID.ecmp,
      memberId,
      action: forward(port),
    }),
  });

export const group = (groupId: number, ...memberIds: number[]): p4.Entity =>
  groupOf({
    groupId,
    members: memberIds.map((memberId) => new p4.ActionProfileGroupMember({ memberId, weight: 1 })),
  });

export const groupOf = (fields: {
  groupId: number;
  members: p4.ActionProfileGroupMember[];
  maxSize?: number;
}): p4.Entity =>
  new p4.Entity({
    actionProfileGroup: new p4.ActionProfileGroup({ actionProfileId: ID.ecmp, ...fields }),
  });

/** A route 10.0.<third>.0/24 through a member or a group. */
export const route = (third: number, to: { member: number } | { group: number }): p4.Entity =>
  entry({
    tableId: ID.route,
    match: [lpm(bytes(10, 0, third, 0), 24)],
    action: new p4.TableAction(
      'member' in to ? { actionProfileMemberId: to.member } : { actionProfileGroupId: to.group },
    ),
  });
