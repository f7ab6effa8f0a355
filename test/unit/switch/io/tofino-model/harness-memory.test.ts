import { withHarnessMemory, wordsOf } from '../../../../../switch/io/tofino-model/harness-memory';

const stage = (type: string, units: readonly object[]): object => ({
  stage_number: 3,
  stage_table_type: type,
  memory_resource_allocation: { memory_type: 'sram', memory_units_and_vpns: units },
});

describe('memory of tables as the harness wants it', () => {
  test('has action data from page 0 on, though one of several blocks in width begins with page 1', () => {
    const table = {
      name: 'egress.collector$action',
      table_type: 'action',
      stage_tables: [
        stage('action_data', [
          { memory_units: [78, 88, 90], vpns: [1] },
          { memory_units: [79, 89, 91], vpns: [2] },
        ]),
      ],
    };
    const pages = JSON.stringify(withHarnessMemory([table])).match(/"vpns":\[\d\]/g);
    expect(pages).toEqual(['"vpns":[0]', '"vpns":[1]']);
  });

  test('has the words of a register as a selector besides', () => {
    const table = {
      name: 'egress.tx_bytes',
      table_type: 'stateful',
      stage_tables: [stage('stateful', [{ memory_units: [90], vpns: [0] }])],
    };
    expect(withHarnessMemory([table])).toMatchObject([
      table,
      { name: wordsOf('egress.tx_bytes'), table_type: 'selection', p4_hidden: true },
    ]);
  });

  test('stays as it is for other tables', () => {
    const table = { name: 'ingress.route', table_type: 'match', size: 16 };
    expect(withHarnessMemory([table])).toEqual([table]);
  });
});
