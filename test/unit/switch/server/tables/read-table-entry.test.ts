import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../../../common/p4runtime/p4info';
import { applyUpdate } from '../../../../../switch/server/entities/entities';
import { shadowPipeline } from '../../../../../switch/server/pipeline-config';
import { withoutPauses } from '../../../../../switch/server/turns/lazily';
import { readTableEntries } from '../../../../../switch/server/tables/read-table-entry';
import * as ext from '../../../../support/p4runtime/externs-updates';
import { action, bytes } from '../../../../support/p4runtime/sample-updates';
import { ServedStateSwitch } from '../../../../support/p4runtime/served-state-switch';

const { forward, flood, deny } = ext.EXT;

const message = ext.externsConfig();
const info = new P4InfoIndex(message.p4info);
const running = shadowPipeline(new ServedStateSwitch(), { message, info });
const written = [
  ext.dmac(1, action(forward, bytes(1)), { metadata: bytes(1), controllerMetadata: '7' }),
  ext.dmac(2, action(forward, bytes(2)), { priority: 2, metadata: bytes(1) }),
  ext.dmac(3, action(deny), { priority: 3, controllerMetadata: '7' }),
];
for (const entity of written) applyUpdate(running, p4.UpdateType.INSERT, entity);

type Filter = Exclude<
  ConstructorParameters<typeof p4.TableEntry>[0],
  readonly unknown[] | undefined
>;

/** Priorities of the entries that a filter lets through. */
function found(filter: Filter): number[] {
  const message = new p4.TableEntry({ ...filter, tableId: ext.EXT.dmac });
  return withoutPauses(readTableEntries(running, message)).map(({ priority }) => priority);
}

const doing = (actionId: number): p4.TableAction =>
  new p4.TableAction({ action: new p4.Action({ actionId }) });

test.each<[string, Filter, number[]]>([
  ['nothing', {}, [1, 2, 3]],
  ['an action', { action: doing(forward) }, [1, 2]],
  ['another action', { action: doing(deny) }, [3]],
  ['an action that no entry has', { action: doing(flood) }, []],
  ['metadata', { metadata: bytes(1) }, [1, 2]],
  ['metadata that no entry has', { metadata: bytes(2) }, []],
  ['metadata of the older kind', { controllerMetadata: '7' }, [1, 3]],
  ['both kinds', { metadata: bytes(1), controllerMetadata: '7' }, [1]],
  ['a priority', { priority: 2 }, [2]],
  ['a priority that no entry has', { priority: 4 }, []],
])('a read that filters by %s', (_, filter, expected) => {
  expect(found(filter).sort()).toEqual(expected);
});
