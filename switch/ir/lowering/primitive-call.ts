import { checked, lookUp } from '../json/checked';
import { operandSchema } from '../json/json-schema';
import { lowerConstant, lowerData, lowerHeader, lowerStack } from './lower-operand';
import { lowerTarget } from './lower-target';
import { malformed } from '../json/place';
import type { DataExpression, HeaderExpression } from '../expressions';
import type { Place } from '../json/place';
import type { Scope } from './scope';
import type { FieldTarget } from '../statements';

/** A primitive with its parameters still in JSON. */
export interface Call {
  readonly scope: Scope;
  readonly parameters: readonly unknown[];
  readonly place: Place;
}

export const parameterPlace = (c: Call, i: number): Place => c.place.child('parameters').child(i);

export const target = (c: Call, i: number): FieldTarget =>
  lowerTarget(c.scope, c.parameters[i], parameterPlace(c, i));
export const data = (c: Call, i: number): DataExpression =>
  lowerData(c.scope, c.parameters[i], parameterPlace(c, i));
export const header = (c: Call, i: number): HeaderExpression =>
  lowerHeader(c.scope, c.parameters[i], parameterPlace(c, i));
export const stack = (c: Call, i: number): number =>
  lowerStack(c.scope, c.parameters[i], parameterPlace(c, i));
export const constant = (c: Call, i: number): number =>
  lowerConstant(c.scope, c.parameters[i], parameterPlace(c, i));

/** A parameter that names an array or a calculation; returns its position. */
export function instance(
  c: Call,
  i: number,
  type: 'register_array' | 'counter_array' | 'meter_array' | 'calculation',
): number {
  const place = parameterPlace(c, i);
  const operand = checked(operandSchema, c.parameters[i], place);
  if (operand.type !== type || typeof operand.value !== 'string') {
    return malformed(`wanted a ${type}, found a ${operand.type}`, place);
  }
  const names = {
    register_array: c.scope.registers,
    counter_array: c.scope.counters,
    meter_array: c.scope.meters,
    calculation: c.scope.calculations,
  }[type];
  return lookUp(names, operand.value, type.replace('_', ' '), place);
}
