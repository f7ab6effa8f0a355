import { InputError } from '../../common/errors';
import { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { P4RuntimeClient } from '../../controller/p4runtime/client';
import { connectTo } from '../../controller/io/connect';
import type { PreparedSwitch } from '../../controller/io/prepare';
import type { PreparedNetwork } from '../../controller/io/network-file';
import { connectOptions } from './options';
import type { CommonOptions } from './options';

/** The switches of a network, or the one of them that is named. @throws InputError */
export function chosenSwitches(
  { file, switches }: PreparedNetwork,
  name: string | undefined,
): readonly PreparedSwitch[] {
  if (name === undefined) return switches;
  const found = switches.filter(({ spec }) => spec.node.name === name);
  if (found.length > 0) return found;
  const known = switches.map(({ spec }) => spec.node.name).join(', ');
  throw new InputError(`${file}: there is no switch '${name}'; there are ${known}`);
}

/**
 * Reads from a switch by the P4Info of the program that it runs, whatever the document says.
 * @throws InputError naming the switch when it runs none.
 */
export async function readingFrom<T>(
  { spec }: PreparedSwitch,
  options: CommonOptions & { readonly folder: string },
  read: (client: P4RuntimeClient, index: P4InfoIndex) => Promise<T>,
): Promise<T> {
  const client = await connectTo(spec, connectOptions(options, options.folder));
  try {
    const { p4info } = await client.getPipeline();
    if (p4info === undefined) throw new InputError(`${client.place}: it runs no program`);
    client.useP4Info(p4info);
    return await read(client, P4InfoIndex.of(p4info));
  } finally {
    client.close();
  }
}
