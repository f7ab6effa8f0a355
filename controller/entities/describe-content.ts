import { unreachable } from '../../common/assert';
import { parseIpv4, parseMac } from '../../common/topology/topology';
import type { ActionByName, EntryAction } from './action';
import type { KeptEntity } from './identity';
import type { Value } from './value';

/** Describes what an entity holds, in words: `ingress.forward(port = 1)`. */
export function describeContent(entity: KeptEntity): string {
  switch (entity.kind) {
    case 'table-entry':
      return describeAction(entity.action);
    case 'default-entry':
      return entity.action === undefined ? 'as in the program' : describeCall(entity.action);
    case 'member':
      return describeCall(entity.action);
    case 'group': {
      const members = entity.members.map(({ memberId, weight }) =>
        weight === 1 ? `${memberId}` : `${memberId} (weight ${weight})`,
      );
      return `members ${members.join(', ') || 'none'}`;
    }
    case 'multicast-group':
    case 'clone-session': {
      const ports = entity.replicas.map(({ port, instance }) =>
        instance === 0 ? `${port}` : `${port} (instance ${instance})`,
      );
      const cut = entity.kind === 'clone-session' && entity.packetLengthBytes > 0;
      return `ports ${ports.join(', ') || 'none'}${cut ? `, cut at ${entity.packetLengthBytes} bytes` : ''}`;
    }
    default:
      return unreachable(entity);
  }
}

function describeAction(action: EntryAction): string {
  switch (action.kind) {
    case 'action':
      return describeCall(action.action);
    case 'member':
      return `member ${action.memberId}`;
    case 'group':
      return `group ${action.groupId}`;
    case 'one-shot':
      return `one of ${action.actions.map((each) => describeCall(each.action)).join(', ')}`;
    default:
      return unreachable(action);
  }
}

function describeCall({ name, arguments: given }: ActionByName): string {
  const values = Object.entries(given).map(([key, value]) => `${key} = ${readable(key, value)}`);
  return `${name}(${values.join(', ')})`;
}

/** Only parameters that are called so are addresses. */
function readable(key: string, value: Value): string {
  const text = String(value);
  const isAddress = /addr|ip|mac|src|dst|host|gateway|next_hop|nhop/i.test(key);
  return isAddress ? text : plainNumber(text);
}

/**
 * P4Info does not tell addresses from numbers of the same width, so the client writes numbers of 32
 * and 48 bits as addresses.
 * @returns such an address as a number, and other text as it is.
 */
export function plainNumber(text: string): string {
  return String(parseIpv4(text) ?? parseMac(text) ?? text);
}
