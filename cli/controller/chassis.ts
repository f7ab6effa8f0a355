import type { Command } from 'commander';
import { attachments } from '../../common/topology/topology';
import { chassisConfig } from '../../controller/intent/chassis-config';
import { loadNetwork } from '../../controller/io/network-file';
import { pushChassis, reachGnmi } from '../../controller/io/switch-ports';
import { InputError } from '../../common/errors';
import { deadlineOption } from './options';
import { print } from './output';
import { chosenSwitches } from './targets';

interface ChassisOptions {
  readonly deadline: number;
  readonly switch?: string;
  readonly push?: true;
}

export function registerChassis(parent: Command): void {
  parent
    .command('chassis')
    .summary("print or push Stratum's configuration of ports and queues")
    .description(
      'Makes the chassis configuration of switches under Stratum from a document that names their ports: speeds ' +
        'and FEC, shapers of slower links, priorities and shares of queues. --push replaces the one that the ' +
        'switch has, over gNMI, which takes its ports down for a moment.',
    )
    .argument('<file>', 'network document')
    .option('--switch <name>', 'only this switch')
    .option('--push', 'send it to the switch, all or nothing, and check where its ports came out')
    .addOption(deadlineOption())
    .action(async (file: string, options: ChassisOptions) => {
      const network = await loadNetwork(file);
      const links = attachments(network.spec.topology);
      const chosen = chosenSwitches(network, options.switch).filter(
        ({ spec }) => spec.document.chassis !== undefined || options.switch !== undefined,
      );
      if (chosen.length === 0) throw new InputError(`${file}: no switch has a chassis`);
      const configs = chosen.map((each) => {
        const { name } = each.spec.node;
        const text = chassisConfig(each.spec, links.get(name) ?? []);
        if (options.push && each.spec.document.gnmi === undefined) {
          throw new InputError(`switch ${name}: the document gives no gNMI address`);
        }
        return { each, name, text };
      });
      if (!options.push) {
        for (const { name, text } of configs)
          print(configs.length > 1 ? `# ${name}\n${text}` : text.trimEnd());
        return;
      }
      const reach = { deadline: options.deadline, folder: network.folder };
      // Nothing changes anywhere unless everybody can be reached.
      for (const { each } of configs) await reachGnmi(each, reach);
      for (const { each, name, text } of configs) {
        await pushChassis(each, Buffer.from(text), reach);
        print(`${name}: done`);
      }
    });
}
