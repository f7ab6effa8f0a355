import { RpcError } from '../../../common/p4runtime/codes';
import type { Any } from '../../../common/p4runtime/generated/google/protobuf/any';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { Limits } from '../limits/limits';
import { Election } from './election';
import type { Compatibility } from './compatibility';
import type { Notice } from './election';
import { decodeRoleConfig } from '../../../common/p4runtime/role-config';
import type { RoleScope } from '../../../common/p4runtime/role-config';

/** A controller's end of a stream. */
export interface Controller {
  /** False when a packet-in that was sent now would be lost. */
  readonly hasRoomForPacketIn: boolean;
  send(response: p4.StreamMessageResponse): void;
  /** Ends the stream. */
  end(reason: RpcError): void;
}

/** One role of a device: its election, and what its primary has said that it covers. */
export interface Role {
  readonly name: string;
  readonly election: Election<Controller>;
  config: Any | undefined;
  scope: RoleScope | undefined;
}

/** The roles of one device. The role without a name is the one with full access. */
export class Roles {
  private readonly byName = new Map<string, Role>();

  constructor(
    private readonly deviceId: bigint,
    private readonly rule: Compatibility,
    private readonly limits = new Limits(),
  ) {}

  /** bmv2 takes no notice of roles: all controllers are of the role without a name. */
  nameOf(requested: string): string {
    return this.rule === 'bmv2' ? '' : requested;
  }

  /**
   * The role, begun when it is first named on a stream.
   * @throws RpcError RESOURCE_EXHAUSTED when there are too many with controllers.
   */
  of(name: string): Role {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    if (this.byName.size >= this.limits.of('roles')) this.forgetRole();
    const most = this.limits.of('controllers');
    const election = new Election<Controller>(most, this.rule, (client) => this.evict(client));
    const role = { name, election, config: undefined, scope: undefined };
    this.byName.set(name, role);
    return role;
  }

  private evict(client: Controller): void {
    this.limits.met('controllers');
    const reason = 'a controller with an election id took the place of this one, which has none';
    client.end(new RpcError('RESOURCE_EXHAUSTED', reason));
  }

  /** The role that has been without controllers the longest, but never the one without a name. */
  private forgetRole(): void {
    this.limits.met('roles');
    for (const { name, election } of this.byName.values()) {
      if (name === '' || !election.isEmpty) continue;
      this.byName.delete(name);
      return;
    }
    const reason = `controllers have named ${this.byName.size} roles already (limit roles)`;
    throw new RpcError('RESOURCE_EXHAUSTED', reason);
  }

  /**
   * Takes a controller's bid for a role. @returns the notices to send.
   * @throws RpcError which ends the stream; then nothing has changed.
   */
  bid(controller: Controller, name: string, update: Bid): Notice<Controller>[] {
    const scope = this.checkedScope(name, update.config);
    const role = this.of(name);
    const notices = role.election.bid(controller, update.electionId);
    if (role.election.isPrimaryClient(controller)) {
      role.config = update.config;
      role.scope = scope;
    }
    return notices;
  }

  /**
   * The role of a request that changes something.
   * @throws RpcError NOT_FOUND for an unknown role, PERMISSION_DENIED unless from its primary.
   */
  requirePrimary(requested: string, electionId: bigint | undefined): Role {
    const role = this.find(requested);
    if (role.election.isPrimary(electionId) || this.isUncontested(role, electionId)) return role;
    const found = electionId === undefined ? 'no election id' : `election id ${electionId}`;
    throw new RpcError('PERMISSION_DENIED', `device ${this.deviceId}: not primary (${found})`);
  }

  /** True for the primary of a role that covers everything. */
  isPrimaryOfAll(requested: string, electionId: bigint | undefined): boolean {
    const role = this.byName.get(this.nameOf(requested));
    return role?.scope === undefined && role?.election.isPrimary(electionId) === true;
  }

  /** @throws RpcError NOT_FOUND for an unknown role. */
  find(requested: string): Role {
    const name = this.nameOf(requested);
    if (name === '' || this.byName.has(name)) return this.of(name);
    const reason = `device ${this.deviceId}: no controller has the role '${name}'`;
    throw new RpcError('NOT_FOUND', reason);
  }

  /** Sends a message to the primary of every role that `wants` it. */
  sendToPrimaries(
    message: p4.StreamMessageResponse,
    wants: (scope: RoleScope | undefined) => boolean,
  ): void {
    for (const { election, scope } of this.byName.values()) {
      if (wants(scope)) election.primaryClient?.send(message);
    }
  }

  /**
   * True if no primary would get a packet-in, whatever it contains; primaries without room count it
   * as lost. PERF: a packet-in that is made to be lost is garbage of twice its bytes.
   */
  losesPacketIn(): boolean {
    let lost = 0;
    for (const { election, scope } of this.byName.values()) {
      const primary = election.primaryClient;
      if (primary === undefined || scope?.receivesPacketIns === false) continue;
      if (primary.hasRoomForPacketIn || scope?.packetInFilter !== undefined) return false;
      lost += 1;
    }
    if (lost > 0) this.limits.met('packet-in-queue', lost);
    return true;
  }

  /** True if a request without election id may write: on bmv2, as long as nobody is connected. */
  private isUncontested(role: Role, electionId: bigint | undefined): boolean {
    return this.rule === 'bmv2' && electionId === undefined && role.election.isEmpty;
  }

  private checkedScope(name: string, config: Any | undefined): RoleScope | undefined {
    if (config === undefined || this.rule === 'bmv2') return undefined;
    if (name === '') {
      throw new RpcError('INVALID_ARGUMENT', 'role config: the role without a name covers all');
    }
    const scope = decodeRoleConfig(config);
    const others = [...this.byName.values()].filter((each) => each.name !== name);
    const live = others.filter(({ election }) => !election.isEmpty);
    refuseOverlap(scope, new Map(live.map((each) => [each.name, each.scope])));
    return scope;
  }
}

/** Arguments of a controller's bid to become primary. */
export interface Bid {
  readonly electionId: bigint | undefined;
  readonly config: Any | undefined;
}

/** True if the role may write to the object of P4Info; undefined is a role without limits. */
export function inScope(scope: RoleScope | undefined, id: number | undefined): boolean {
  if (scope === undefined) return true;
  if (id === undefined) return false;
  return scope.exclusiveIds.has(id) || scope.sharedIds.has(id);
}

/**
 * Two roles may not both own an object. @throws RpcError INVALID_ARGUMENT naming it.
 * @param others the configurations of the device's other roles, by name.
 */
function refuseOverlap(scope: RoleScope, others: ReadonlyMap<string, RoleScope | undefined>): void {
  for (const [role, other] of others) {
    if (other === undefined) continue;
    const taken = [...scope.exclusiveIds].find((id) => inScope(other, id));
    const wanted = taken ?? [...scope.sharedIds].find((id) => other.exclusiveIds.has(id));
    if (wanted === undefined) continue;
    throw new RpcError('INVALID_ARGUMENT', `role config: role '${role}' already has ${wanted}`);
  }
}

/** The object of P4Info that an entity belongs to; undefined for one that belongs to none. */
export function idOfEntity(entity: p4.Entity): number | undefined {
  if (entity.hasTableEntry) return entity.tableEntry.tableId;
  if (entity.hasActionProfileMember) return entity.actionProfileMember.actionProfileId;
  if (entity.hasActionProfileGroup) return entity.actionProfileGroup.actionProfileId;
  if (entity.hasMeterEntry) return entity.meterEntry.meterId;
  if (entity.hasDirectMeterEntry) return tableOf(entity.directMeterEntry);
  if (entity.hasCounterEntry) return entity.counterEntry.counterId;
  if (entity.hasDirectCounterEntry) return tableOf(entity.directCounterEntry);
  if (entity.hasValueSetEntry) return entity.valueSetEntry.valueSetId;
  if (entity.hasRegisterEntry) return entity.registerEntry.registerId;
  return entity.hasDigestEntry ? entity.digestEntry.digestId : undefined;
}

function tableOf(entry: p4.DirectMeterEntry | p4.DirectCounterEntry): number {
  return entry.hasTableEntry ? entry.tableEntry.tableId : 0;
}
