import { unreachable } from '../../common/assert';
import { describeContent } from './describe-content';
import { isKept } from './identity';
import { describeMatch } from './match';
import type { Match } from './match';
import type { EntityUpdate, NamedEntity } from './named-entity';
import type { EntryKey } from './match';

/** An update in one line: `insert ingress.acl (hdr.ipv4.dst_addr = 10.0.0.0/8)`. */
export function describeUpdate({ type, entity }: EntityUpdate): string {
  return `${type} ${describePlace(entity)}`;
}

/** Describes an entity in one line: its key, and its action, members or ports where it has some. */
export function describeEntity(entity: NamedEntity): string {
  const place = describePlace(entity);
  return isKept(entity) ? `${place}: ${describeContent(entity)}` : place;
}

/** Describes the key of an entity in one line. */
export function describePlace(entity: NamedEntity): string {
  switch (entity.kind) {
    case 'table-entry':
      return describeKey(entity);
    case 'default-entry':
      return `${entity.table} (default)`;
    case 'member':
      return `${entity.actionProfile} member ${entity.memberId}`;
    case 'group':
      return `${entity.actionProfile} group ${entity.groupId}`;
    case 'counter':
      return cell(entity.counter, entity.index);
    case 'meter':
      return cell(entity.meter, entity.index);
    case 'register':
      return cell(entity.register, entity.index);
    case 'direct-counter':
      return `counter of ${describeKey(entity)}`;
    case 'direct-meter':
      return `meter of ${describeKey(entity)}`;
    case 'multicast-group':
      return `multicast group ${entity.groupId}`;
    case 'clone-session':
      return `clone session ${entity.sessionId}`;
    case 'digest':
      return `digest ${entity.digest}`;
    case 'value-set':
      return `value set ${entity.valueSet}`;
    case 'extern':
      return `${entity.externType} ${entity.extern}`;
    default:
      return unreachable(entity);
  }
}

/** The key of an entry: `ingress.acl (hdr.udp.dst_port = 1..1023) at priority 3`. */
export function describeKey({ table, match, priority }: EntryKey): string {
  const suffix = priority === 0 ? '' : ` at priority ${priority}`;
  return `${table} (${describeFields(match)})${suffix}`;
}

function describeFields(match: Match): string {
  const fields = Object.entries(match).map(([name, each]) => `${name} = ${describeMatch(each)}`);
  return fields.join(', ') || 'any';
}

function cell(name: string, index: number | undefined): string {
  return `${name}[${index ?? '*'}]`;
}
