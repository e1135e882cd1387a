// Light or dark pages: as the device has it, or as somebody chose in this browser.
import { useSyncExternalStore } from 'react'
import { readStored, removeStored, storageKeys, watchStored, writeStored } from './storage.ts'

export const lights = ['device', 'light', 'dark'] as const
export type Light = (typeof lights)[number]

function storedLight(): Light {
  const stored = readStored(storageKeys.light)
  return stored === 'light' || stored === 'dark' ? stored : 'device'
}

/** The style sheet reads this mark; at the start of a page the script in its head sets it. */
function markDocument(light: Light): void {
  if (light === 'device') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = light
}

export function chooseLight(light: Light): void {
  markDocument(light)
  if (light === 'device') removeStored(storageKeys.light)
  else writeStored(storageKeys.light, light)
}

export const useLight = (): Light => useSyncExternalStore(watchStored, storedLight, () => 'device')
