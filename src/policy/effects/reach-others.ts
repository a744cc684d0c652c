import { type ArgWords, type EffectRow, first, has, operandsOf } from './effect-row.ts'
import { CLUSTER_VALUES } from './grave-elsewhere.ts'
import { gitCall } from './grave-git.ts'

/** Commands that change infrastructure others use, or that give something to everybody. */
export const REACHES_OTHERS: readonly EffectRow[] = [
  {
    program: /^(kubectl|oc)$/,
    when: first(
      /^(apply|create|edit|patch|scale|set|rollout|label|annotate|expose|run|autoscale|cordon|uncordon|taint|cp|exec|attach|debug|adm)$/,
      CLUSTER_VALUES,
    ),
    does: 'acts on the cluster',
    tier: 'none',
    reaches: 'infrastructure',
    examples: {
      matches: ['kubectl apply -f a.yml', 'kubectl -n prod exec a -- ls', 'kubectl rollout restart deploy/a'],
      spares: ['kubectl get pods', 'kubectl apply -f a.yml --dry-run=server', 'kubectl logs a'],
    },
  },
  {
    program: /^helm$/,
    when: first(/^(install|upgrade)$/, CLUSTER_VALUES),
    does: 'changes what runs in the cluster',
    tier: 'none',
    reaches: 'infrastructure',
    examples: { matches: ['helm upgrade shop ./chart'], spares: ['helm list', 'helm template ./chart'] },
  },
  {
    program: /^(terraform|tofu|terragrunt|pulumi|cdk|serverless|sls|sam)$/,
    when: words =>
      has(/^(apply|up|update|deploy|import|refresh|untaint)$/)(words) || /\bstate (rm|mv|push)\b/.test(words.join(' ')),
    does: 'changes real infrastructure',
    tier: 'none',
    reaches: 'infrastructure',
    examples: {
      matches: ['terraform apply plan.out', 'pulumi up', 'cdk deploy', 'terraform state rm a'],
      spares: ['terraform plan', 'pulumi preview', 'terraform state list'],
    },
  },
  {
    program: /^(aws|gcloud|az|doctl|heroku|fly|flyctl|gsutil|eb)$/,
    when: changesCloud,
    does: 'changes something in the cloud',
    tier: 'none',
    reaches: 'infrastructure',
    examples: {
      matches: ['aws ec2 run-instances --image-id a', 'aws s3 cp a s3://b', 'gcloud run deploy a', 'az vm create -n a'],
      spares: ['aws s3 ls', 'aws s3 cp s3://b/a .', 'gcloud config set project a', 'az account show'],
    },
  },
  {
    program: /^git$/,
    when: words => {
      const { name, rest } = gitCall(words)
      return name === 'push' && !rest.some(word => /^-[a-z]*n/.test(word))
    },
    does: 'sends commits to where others get them',
    tier: 'none',
    reaches: 'everybody',
    examples: {
      matches: ['git push', 'git -C app push origin main'],
      spares: ['git push --dry-run', 'git stash push'],
    },
  },
  {
    program: /^(docker|podman|nerdctl|helm|oras|crane|skopeo)$/,
    when: first(/^(push|copy)$/),
    does: 'publishes where others get it',
    tier: 'none',
    reaches: 'everybody',
    examples: { matches: ['docker push me/app'], spares: ['docker pull alpine', 'docker build .'] },
  },
  {
    program: /^(gh|glab)$/,
    when: words =>
      /^(?:pr|mr|issue|release|repo|gist|secret|variable|workflow|label|ssh-key) (?:create|merge|close|reopen|edit|comment|note|review|ready|upload|set|run|fork|rename|archive|transfer|add)\b/.test(
        operandsOf(words, '-R --repo').join(' '),
      ) ||
      (words.includes('api') && has(/^(?:-X|--method=?|-[fF]|--(?:raw-)?field|--input)/)(words)),
    does: 'changes what others see on the server',
    tier: 'none',
    reaches: 'everybody',
    examples: {
      matches: ['gh pr create --fill', 'gh -R me/app issue comment 1 -b x', 'gh api -X POST repos/a/b/issues'],
      spares: ['gh pr list', 'gh api repos/a/b', 'gh pr checkout 1'],
    },
  },
  {
    program: /^(vercel|netlify|firebase|wrangler|surge|now|railway)$/,
    when: words => words.length === 0 || has(/^(deploy|publish|up|--prod|promote|rollback)$/)(words),
    does: 'puts it on the internet',
    tier: 'none',
    reaches: 'everybody',
    examples: {
      matches: ['vercel --prod', 'firebase deploy', 'wrangler deploy'],
      spares: ['vercel dev', 'netlify dev'],
    },
  },
]

const CHANGES =
  /^(?:create|put|update|run|start|stop|restart|reboot|modify|attach|detach|associate|disassociate|deploy|invoke|send|publish|remove|add|set|tag|untag|register|deregister|restore|reset|revoke|authorize|import|execute|cancel|disable|enable|apply|patch|submit|ssh|scp|mb|scale|promote|rollback|release)(?:-|:|$)|:(?:create|set|add|restart|scale|promote)$/

function changesCloud(words: ArgWords): boolean {
  const [service = '', ...rest] = operandsOf(words, '--profile --region --output --endpoint-url --project -a --app')
  if (/^(config|configure|auth|login|logout|help)/.test(service)) return false
  // Copies to the cloud change it, copies from there do not.
  if (rest.some(word => /^(cp|mv|sync|rsync)$/.test(word)) || /^(cp|mv|rsync)$/.test(service))
    return /^(s3|gs):\/\//.test(rest.at(-1) ?? '')
  return [service, ...rest.slice(0, 3)].some((word, i) => CHANGES.test(word) && !(i === 0 && /^run$/.test(word)))
}
