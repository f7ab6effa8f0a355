import { InputError } from '../../common/errors';
import { unreachable } from '../../common/assert';
import type { Data } from '../entities/value';
import { describePlace } from '../entities/describe';
import type { EntityUpdate, NamedEntity } from '../entities/named-entity';
import type { TableEntry } from '../entities/table-entry';
import type { P4RuntimeClient } from '../p4runtime/client';
import { WriteFailedError } from '../p4runtime/session/errors';
import type { ReadFilter } from '../p4runtime/requests/read';
import { plainNumber } from '../entities/describe-content';
import { describeChange, describePlan } from '../plan/describe-plan';
import { isKept } from '../entities/identity';
import { isEmpty } from '../plan/switch-plan';
import { HELP, parseCommand } from '../shell/command';
import type { ShellCommand } from '../shell/command';
import { complete } from '../shell/complete';
import { applySwitch, SwitchProgress } from './apply-switch';
import { connectTo } from './connect';
import type { ConnectOptions } from './connect';
import { planSwitch } from './plan-network';
import type { PreparedSwitch } from './prepare';
import type { QueueRecords } from './queue-records';

export interface ShellOptions extends ConnectOptions {
  readonly records: QueueRecords;
}

/** Reads and writes by hand at one switch at a time; the connection waits for the first need. */
export class Shell {
  private readonly clients = new Map<string, P4RuntimeClient>();
  private used: PreparedSwitch;

  constructor(
    private readonly switches: readonly PreparedSwitch[],
    private readonly options: ShellOptions,
  ) {
    const [first] = switches;
    if (first === undefined) throw new InputError('a shell wants a switch');
    this.used = first;
  }

  get prompt(): string {
    return `${this.used.spec.node.name}> `;
  }

  complete(line: string): [string[], string] {
    const switches = this.switches.map(({ spec }) => spec.node.name);
    return complete(line, { switches, program: this.used.program.index });
  }

  /** @returns what to print. @throws InputError for a line that cannot be carried out. */
  async run(line: string): Promise<string> {
    const command = parseCommand(line);
    switch (command.kind) {
      case 'nothing':
        return '';
      case 'help':
        return HELP;
      case 'switches':
        return this.switches.map((each) => this.switchText(each)).join('\n');
      case 'use':
        this.use(command.switch);
        return '';
      case 'tables':
        return this.tablesText();
      case 'actions':
        return this.actionsText(command.table);
      case 'read':
        return this.read(command.object);
      case 'plan':
        return this.plan();
      case 'apply':
        return this.apply();
      case 'insert':
      case 'modify':
      case 'delete':
      case 'default':
        return this.write(command);
      default:
        return unreachable(command);
    }
  }

  close(): void {
    for (const client of this.clients.values()) client.close();
    this.clients.clear();
  }

  private switchText(each: PreparedSwitch): string {
    const { name, grpcAddress = 'no address' } = each.spec.node;
    return `${each === this.used ? '*' : ' '} ${name} ${grpcAddress} ${each.program.name}`;
  }

  private use(name: string): void {
    const found = this.switches.find(({ spec }) => spec.node.name === name);
    if (found === undefined) throw new InputError(`there is no switch '${name}'`);
    this.used = found;
  }

  private tablesText(): string {
    return this.used.program.index.tables.all
      .map(({ name, matchFields }) => {
        const key = matchFields.all.map((each) => `${each.name} ${each.matchKind} ${each.width}`);
        return `${name} (${key.join(', ')})`;
      })
      .join('\n');
  }

  private actionsText(name: string): string {
    const table = this.used.program.index.tables.find(name);
    if (table === undefined) throw new InputError(`there is no table '${name}'`);
    return table.actions.all
      .map(({ name: action, action: { parameters } }) => {
        const names = parameters.all.map((each) => each.name);
        return `${action}(${names.join(', ')})`;
      })
      .join('\n');
  }

  private async read(object: string): Promise<string> {
    const client = await this.reading();
    const lines: string[] = [];
    for await (const entity of client.read(this.filter(object))) lines.push(entityText(entity));
    return lines.join('\n');
  }

  private filter(object: string): ReadFilter {
    const { index } = this.used.program;
    switch (object) {
      case 'members':
      case 'groups':
        return { kind: object };
      case 'multicast':
        return { kind: 'multicast-groups' };
      case 'clones':
        return { kind: 'clone-sessions' };
    }
    if (index.tables.find(object) !== undefined) return { kind: 'table-entries', table: object };
    const has = (all: readonly { readonly name: string }[]): boolean =>
      all.some(({ name }) => name === object || name.endsWith(`.${object}`));
    if (has(index.counters.all)) return { kind: 'counters', counter: object };
    if (has(index.meters.all)) return { kind: 'meters', meter: object };
    if (has(index.registers.all)) return { kind: 'registers', register: object };
    throw new InputError(`there is no table, counter, meter or register '${object}'`);
  }

  private async write(
    command: Extract<ShellCommand, { readonly entity: NamedEntity }>,
  ): Promise<string> {
    const client = await this.writing();
    const type = command.kind === 'default' ? 'modify' : command.kind;
    const { entity } = command;
    const update: EntityUpdate = {
      type,
      entity: type === 'delete' && entity.kind === 'table-entry' ? this.deletion(entity) : entity,
    };
    const { failures } = await client.write([update]);
    if (failures.length > 0) throw new WriteFailedError(client.place, failures, 1);
    return 'done';
  }

  /** A switch looks at the key alone, but the message has an action of the table's kind. */
  private deletion(entry: TableEntry): TableEntry {
    const table = this.used.program.index.tables.find(entry.table);
    const [first] = table?.actions.all ?? [];
    if (table?.actionProfileId !== undefined || first === undefined) return entry;
    const { name, action } = first;
    const values = Object.fromEntries(action.parameters.all.map((each) => [each.name, 0]));
    return { ...entry, action: { kind: 'action', action: { name, arguments: values } } };
  }

  private async plan(): Promise<string> {
    const plan = await planSwitch(await this.client(), this.used);
    return isEmpty(plan) ? 'as wanted; nothing to do' : describePlan(plan);
  }

  private async apply(): Promise<string> {
    const client = await this.writing();
    const progress = new SwitchProgress();
    await applySwitch(client, this.used, this.options, progress);
    const refused = progress.refused.map(({ update, codeName, reason }) => {
      return `refused: ${describePlace(update.entity)}: ${codeName}: ${reason}`;
    });
    return [...progress.done.map(describeChange), ...refused].join('\n') || 'nothing to do';
  }

  private async client(): Promise<P4RuntimeClient> {
    const { name } = this.used.spec.node;
    const found = this.clients.get(name);
    if (found !== undefined) return found;
    const client = await connectTo(this.used.spec, this.options);
    this.clients.set(name, client);
    return client;
  }

  private async reading(): Promise<P4RuntimeClient> {
    const client = await this.client();
    client.useP4Info(this.used.program.pipeline.p4info);
    return client;
  }

  private async writing(): Promise<P4RuntimeClient> {
    const client = await this.reading();
    if (client.standing?.kind !== 'primary') await client.becomePrimary();
    return client;
  }
}

function entityText(entity: NamedEntity): string {
  if (isKept(entity)) return describeChange({ type: 'insert', entity }).slice(2);
  switch (entity.kind) {
    case 'counter':
      return `${describePlace(entity)}: ${entity.data?.packets ?? 0} packets, ${entity.data?.bytes ?? 0} bytes`;
    case 'register':
      return `${describePlace(entity)}: ${dataText(entity.value)}`;
    case 'meter': {
      const { config } = entity;
      const text =
        config === undefined ? 'no limit' : `committed ${config.cir}/s, peak ${config.pir}/s`;
      return `${describePlace(entity)}: ${text}`;
    }
    case 'direct-counter':
    case 'direct-meter':
    case 'digest':
    case 'value-set':
    case 'extern':
      return describePlace(entity);
    default:
      return unreachable(entity);
  }
}

function dataText(value: Data | undefined): string {
  if (typeof value === 'object') return JSON.stringify(value);
  return plainNumber(String(value));
}
