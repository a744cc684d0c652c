// Four ways in which agents talk to a model, streamed or not. `read` says what the agent offers and which results it brings;
// `say` writes the model's next move: `{ call: { id, name, namespace, args } }` or `{ text }`.

const OURS = /memory_terminal(_interactive)?$/

export const WIRES = [
  {
    name: 'chat',
    fits: path => path.endsWith('/chat/completions'),
    streams: body => body.stream === true,
    read: body => ({
      tools: (body.tools ?? []).map(({ function: each }) => ({ name: each.name, definition: each })),
      results: (body.messages ?? [])
        .filter(({ role }) => role === 'tool')
        .map(message => ({ id: message.tool_call_id, text: plain(message.content) })),
    }),
    say(out, body, { call, text }) {
      const base = { id: 'chat-1', created: 1, model: body.model }
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      const tool_calls = call && [
        {
          index: 0,
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.args) },
        },
      ]
      const message = { role: 'assistant', content: call ? null : text, ...(call ? { tool_calls } : {}) }
      const finish_reason = call ? 'tool_calls' : 'stop'
      if (!out.streams)
        return out.json({ ...base, object: 'chat.completion', usage, choices: [{ index: 0, finish_reason, message }] })
      const chunk = { ...base, object: 'chat.completion.chunk' }
      out.event({ ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] })
      out.event({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage })
      out.event('[DONE]')
      out.end()
    },
  },
  {
    name: 'responses',
    fits: path => path.endsWith('/responses'),
    streams: body => body.stream === true,
    read: body => ({
      tools: (body.tools ?? []).flatMap(each =>
        each.type === 'namespace'
          ? (each.tools ?? []).map(inner => ({ name: inner.name, namespace: each.name, definition: inner }))
          : [{ name: each.name ?? each.type, definition: each }],
      ),
      results: (Array.isArray(body.input) ? body.input : [])
        .filter(({ type }) => /_call_output$/.test(type ?? ''))
        .map(item => ({ id: item.call_id, text: plain(item.output) })),
    }),
    say(out, body, { call, text }) {
      const item = call
        ? {
            type: 'function_call',
            id: `fc_${call.id}`,
            call_id: call.id,
            name: call.name,
            ...(call.namespace ? { namespace: call.namespace } : {}),
            arguments: JSON.stringify(call.args),
            status: 'completed',
          }
        : {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          }
      const usage = {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
      }
      const whole = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: body.model, usage }
      const response = { ...whole, output: [item] }
      if (!out.streams) return out.json(response)
      const at = { output_index: 0, item }
      out.event({ type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } })
      out.event({ type: 'response.output_item.added', ...at })
      if (!call)
        out.event({
          type: 'response.output_text.delta',
          item_id: item.id,
          output_index: 0,
          content_index: 0,
          delta: text,
        })
      out.event({ type: 'response.output_item.done', ...at })
      out.event({ type: 'response.completed', response })
      out.end()
    },
  },
  {
    name: 'messages',
    fits: path => path.endsWith('/messages'),
    streams: body => body.stream === true,
    read: body => ({
      tools: (body.tools ?? []).map(each => ({ name: each.name, definition: each })),
      results: (body.messages ?? [])
        .flatMap(({ content }) => (Array.isArray(content) ? content : []))
        .filter(({ type }) => type === 'tool_result')
        .map(part => ({ id: part.tool_use_id, text: plain(part.content) })),
    }),
    say(out, body, { call, text }) {
      const block = call ? { type: 'tool_use', id: call.id, name: call.name, input: call.args } : { type: 'text', text }
      const stop_reason = call ? 'tool_use' : 'end_turn'
      const usage = { input_tokens: 1, output_tokens: 1 }
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage }
      if (!out.streams) return out.json({ ...message, content: [block], stop_reason })
      const begin = call ? { ...block, input: {} } : { type: 'text', text: '' }
      const delta = call
        ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
        : { type: 'text_delta', text }
      out.event({ type: 'message_start', message: { ...message, content: [], stop_reason: null } })
      out.event({ type: 'content_block_start', index: 0, content_block: begin })
      out.event({ type: 'content_block_delta', index: 0, delta })
      out.event({ type: 'content_block_stop', index: 0 })
      out.event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } })
      out.event({ type: 'message_stop' })
      out.end()
    },
  },
  {
    name: 'gemini',
    fits: path => /:(stream)?generateContent$/i.test(path),
    streams: (_, path) => /:stream/i.test(path),
    read: body => ({
      tools: (body.tools ?? [])
        .flatMap(each => each.functionDeclarations ?? [])
        .map(each => ({ name: each.name, definition: each })),
      // Its results carry no id that is ours: they are counted.
      results: (body.contents ?? [])
        .flatMap(({ parts }) => parts ?? [])
        .filter(part => OURS.test(part.functionResponse?.name ?? ''))
        .map(part => ({ id: null, text: JSON.stringify(part.functionResponse.response) })),
    }),
    say(out, _, { call, text }) {
      const part = call ? { functionCall: { name: call.name, args: call.args } } : { text }
      const answer = {
        candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
        modelVersion: 'scripted',
      }
      if (!out.streams) return out.json(answer)
      out.event(answer)
      out.end()
    },
  },
]

export const isOurs = name => OURS.test(name ?? '')

/** The text of a result, exactly as it reached the model. */
function plain(content) {
  if (typeof content === 'string') return content
  if (Array.isArray(content))
    return content.map(part => part.text ?? (part.content === undefined ? '' : plain(part.content))).join('')
  return content === undefined ? '' : JSON.stringify(content)
}
