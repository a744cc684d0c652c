import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { DIRECTIONS, FRAMES } from './fakes/frame-directions.ts'

/** A frame that nobody sends is a promise that nobody keeps: it goes, and what hears it goes with it. */
const src = resolve(import.meta.dirname, '../src')
const product = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map(file => file.split(sep).join('/'))
  .filter(file => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('contract/'))

/** The values that `type` has in objects of this file. Without its types: those name the frames that are heard. */
function typesMadeIn(file: string): string[] {
  const { code } = transformSync(readFileSync(join(src, file), 'utf8'), { loader: file.endsWith('x') ? 'tsx' : 'ts' })
  const values = [...code.matchAll(/\btype:\s*([^,{}\n]*)/g)].map(([, value = '']) => value)
  return values.flatMap(value => [...value.matchAll(/"(\w+)"/g)].map(([, type = '']) => type))
}

const made = new Map(product.map(file => [file, typesMadeIn(file)]))
/** Both ends of every connection show signs of life from one place. */
const EVERYWHERE = ['base/link']

test.each(Object.entries(DIRECTIONS))('every frame %s is sent by something in src', (direction, { senders }) => {
  const places = [...senders, ...EVERYWHERE]
  const sent = new Set(
    [...made].flatMap(([file, types]) =>
      places.some(place => file === place || file.startsWith(`${place}/`)) ? types : [],
    ),
  )
  const types = FRAMES.filter(frame => frame.direction === direction).map(({ type }) => type)
  expect(types.length).toBeGreaterThan(0)
  expect(types.filter(type => !sent.has(type))).toEqual([])
})
