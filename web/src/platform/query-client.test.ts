import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeQueryClient } from './query-client.ts'

afterEach(() => onlineManager.setOnline(true))

describe('changes without a connection', () => {
  it('fail at once, and are not sent when the connection is back', async () => {
    const send = vi.fn<() => Promise<never>>(() => Promise.reject(new TypeError('no connection')))
    onlineManager.setOnline(false)
    const change = new MutationObserver(makeQueryClient(), { mutationFn: send })
    await expect(change.mutate()).rejects.toThrow('no connection')
    expect(change.getCurrentResult()).toMatchObject({ isPaused: false, isError: true })
    onlineManager.setOnline(true)
    await Promise.resolve()
    expect(send).toHaveBeenCalledTimes(1)
  })
})
