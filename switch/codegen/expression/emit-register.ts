import { code } from '../text/code';
import { toBigint, toIndex, toPair, wrapUnsigned } from '../value/convert';
import { emitData } from './emit-expression';
import { demandOf, writeTarget } from './emit-fields';
import { representationOf } from '../layout/representation';
import { bigint, pair, scalar, unsigned } from '../value/value';
import type { DataExpression } from '../../ir/expressions';
import type { RegisterArrayLayout } from '../../ir/nodes';
import type { Statement } from '../../ir/statements';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** The value of a cell, 0 outside the array. */
export function emitRegister(array: number, index: DataExpression, scope: Scope): Value {
  return readCell(array, toIndex(emitData(index, scope)), scope);
}

/** Outside the array the destination keeps its value. */
export function emitRegisterRead(statement: Of<'register-read'>, scope: Scope): void {
  const { array, target } = statement;
  const layout = scope.program.registers[array];
  if (layout === undefined) return;
  const index = emitData(statement.index, scope);
  const read = (at: Code): void => writeTarget(target, readCell(array, at, scope), scope);
  if (isInside(index, layout)) {
    read(toIndex(index));
    return;
  }
  const at = scope.bindBeforeStore(scope.bind(toIndex(index), 'index'));
  const name = scope.globals.register(array);
  scope.writer.block(code`if (${name}.has(${at}))`, () => read(at));
}

export function emitRegisterWrite(statement: Of<'register-write'>, scope: Scope): void {
  const layout = scope.program.registers[statement.array];
  if (layout === undefined) return;
  const { width } = layout;
  const name = scope.globals.register(statement.array);
  const index = toIndex(emitData(statement.index, scope));
  const value = emitData(statement.value, scope, demandOf({ width, ...UNSIGNED }));
  const wrapped = wrapUnsigned(value, width, scope);
  switch (representationOf(width)) {
    case 'word':
    case 'number':
      scope.writer.line(code`${name}.writeNumber(${index}, ${scalar(wrapped)});`);
      return;
    case 'pair': {
      const { high, low } = toPair(wrapped, scope);
      scope.writer.line(code`${name}.writePair(${index}, ${high}, ${low});`);
      return;
    }
    case 'bigint':
      scope.writer.line(code`${name}.write(${index}, ${toBigint(wrapped)});`);
  }
}

const UNSIGNED = { signed: false, saturating: false } as const;

function readCell(array: number, index: Code, scope: Scope): Value {
  const width = scope.program.registers[array]?.width ?? 0;
  const name = scope.globals.register(array);
  switch (representationOf(width)) {
    case 'word':
    case 'number':
      return unsigned(code`${name}.readNumber(${index})`, width);
    case 'pair': {
      const at = scope.bind(index, 'index');
      const high = scope.keep(code`${name}.readHigh(${at})`, 'high');
      return pair(high, scope.keep(code`${name}.readLow(${at})`, 'low'), width);
    }
    case 'bigint':
      return bigint(code`${name}.read(${index}) ?? 0n`);
  }
}

function isInside(index: Value, { size }: RegisterArrayLayout): boolean {
  return index.kind === 'number' && index.low >= 0 && index.high < size;
}
