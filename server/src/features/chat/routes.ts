import { chatCalls } from '@soigne/contract/chat'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import {
  blockChat,
  chatOf,
  chatsOf,
  deleteChat,
  messagesOf,
  offerFreeTime,
  openChat,
  readChat,
  reportChat,
  sendMessage,
  toggleChatArchive,
} from './service.ts'

export const chatCallsServed = (context: AppContext): Served[] =>
  serve(chatCalls, {
    async recentPartners({ query: { side = 'client', search = '', limit } }, { scope }) {
      const filter = { side, search, archived: false, unread: false }
      const { items } = await chatsOf(context, scope, { ...filter, page: 1, pageSize: limit })
      return {
        items: items.map(({ _id: chatId, institute, client, unread }) =>
          side === 'client'
            ? { chatId, _id: institute._id, name: institute.name, imageUrl: institute.coverUrl, unread }
            : { chatId, ...client, unread },
        ),
      }
    },
    chats: async ({ query: { side = 'client', search = '', archived, unread, page, pageSize } }, { scope }) =>
      chatsOf(context, scope, { side, search, archived: archived === 'true', unread: unread === 'true', page, pageSize }),
    openChat: async ({ body }, { scope }) => openChat(context, scope, body.instituteId),
    chat: async ({ params }, { scope }) => chatOf(context, scope, params.id),
    async toggleChatArchive({ params }, { scope, locale }) {
      const isArchived = await toggleChatArchive(context, scope, params.id)
      return { message: translate(locale, 'messages', isArchived ? 'chatArchived' : 'chatRestored'), isArchived }
    },
    async deleteChat({ params }, { scope, locale }) {
      await deleteChat(context, scope, params.id)
      return { message: translate(locale, 'messages', 'chatDeleted') }
    },
    async readChat({ params }, { scope, locale }) {
      await readChat(context, scope, params.id)
      return { message: translate(locale, 'messages', 'chatRead') }
    },
    async blockChat({ params, body }, { scope, locale }) {
      await blockChat(context, scope, params.id, body.blocked)
      return { message: translate(locale, 'messages', body.blocked ? 'chatBlocked' : 'chatUnblocked'), isBlocked: body.blocked }
    },
    async reportChat({ params, body }, { scope, locale }) {
      await reportChat(context, scope, params.id, body.reason)
      return { message: translate(locale, 'messages', 'chatReported') }
    },
    sendMessage: async ({ body, files }, { scope }) => sendMessage(context, scope, body, files.file[0]),
    offerFreeTime: async ({ params, body }, { scope }) => offerFreeTime(context, scope, { chatId: params.id, ...body }),
    messages: async ({ params, query: { page, pageSize, before, after } }, { scope }) =>
      messagesOf(context, scope, params.id, { page, pageSize, before, after, media: null }),
    chatMedia: async ({ params, query: { page, pageSize, type } }, { scope }) =>
      messagesOf(context, scope, params.id, { page, pageSize, before: undefined, after: undefined, media: type ?? 'any' }),
  })
