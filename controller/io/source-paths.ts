import { InputError } from '../../common/errors';
import { formatIpv4 } from '../../common/topology/topology';
import {
  formatUsidAddress,
  hasHostUsid,
  HOST_BLOCK,
  HOST_BLOCK_TEXT,
} from '../../common/wire/ip/usid';
import { networkSpec } from '../document/network';
import type { NetworkSpec } from '../document/network';
import { blockOf } from '../document/usid';
import { UsidPaths } from '../intent/routing/usid-paths';
import { readNetworkFile } from './network-file';

/**
 * The paths of uSIDs between the hosts of a network, from the document by which its switches end them.
 * @throws InputError for a document that cannot be read, or whose hosts could not write such paths.
 */
export async function readSourcePaths(file: string): Promise<UsidPaths> {
  const spec = networkSpec((await readNetworkFile(file)).document);
  const fault = faultOf(spec);
  if (fault !== undefined) throw new InputError(`${file}: ${fault}`);
  try {
    return new UsidPaths(spec.topology);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${file}: ${error.message}`) : error;
  }
}

function faultOf({ usid, topology: { hosts } }: NetworkSpec): string | undefined {
  if (usid === undefined || blockOf(usid) !== HOST_BLOCK) {
    return `paths of uSIDs: wanted usid: {block: '${HOST_BLOCK_TEXT}'}, found ${usid?.block ?? 'none'}`;
  }
  for (const { name, ipv4, ipv6 } of hosts) {
    if (!hasHostUsid(ipv4)) {
      return `paths of uSIDs: wanted host ${name} from 10.0.0.1 to 10.0.95.255, found ${formatIpv4(ipv4)}`;
    }
    const wanted = formatUsidAddress(ipv4);
    if (ipv6 !== wanted) {
      return `paths of uSIDs: wanted host ${name} with ipv6: '${wanted}', found ${ipv6 ?? 'none'}`;
    }
  }
  return undefined;
}
