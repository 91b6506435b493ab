#!/usr/bin/env python3
"""cut.py - the series from one marked tree.

/tmp/mk holds files with regions between lines @+NAME and @-, each of which belongs to the patch NAME and is not there before it;
what is outside belongs to the patch that the file's default names. hunks/ has changes of existing files, a diff per patch.
"""
import os, re, subprocess, sys, shutil
MK, LX = '/tmp/mk', '/tmp/lxs'
ORDER = ['STAMPS','TICK','CORE','HOOK','DEADLINE','LIMITS','SWEEP','SLEEP','COUNTERS','FACTS','IPI','ARTIFICIAL','KUNIT','DOC','I210']
W = 'drivers/cpuidle/wakelat/'
DEFAULT = {
 'include/asm-generic/wakelat.h':'STAMPS','include/linux/wakelat.h':'STAMPS', W+'Kconfig':'STAMPS', W+'stamps.c':'STAMPS', W+'Makefile':'STAMPS',
 W+'way.c':'SLEEP', W+'characterise.c':'FACTS', W+'rate.c':'I210', W+'rate.h':'I210', W+'i210.c':'I210', W+'i210_trace.h':'I210',
 W+'ipi.c':'IPI', W+'ipi_trace.h':'IPI',
 W+'ldist_test.c':'KUNIT', W+'arith_test.c':'KUNIT', W+'rate_test.c':'I210',
 'arch/x86/include/asm/wakelat.h':'HOOK', 'arch/x86/include/asm/trace/wakelat.h':'HOOK','arch/x86/kernel/wakelat/deadline.c':'DEADLINE',
 'arch/x86/kernel/wakelat/counters.c':'COUNTERS', 'arch/x86/kernel/wakelat/ipi.c':'IPI',
 'Documentation/admin-guide/pm/wakelat.rst':'DOC',
}
def default(p):
    if p in DEFAULT: return DEFAULT[p]
    if p.startswith('arch/x86/'): return 'HOOK'
    if p.startswith('tools/testing/selftests/'): return 'ARTIFICIAL'
    if p == 'drivers/cpuidle/cpuidle-artificial.c': return 'ARTIFICIAL'
    return 'CORE'
MARK = re.compile(r'^\s*(?:/\*|#|\.\. )?@([+-])(\w*)(?:\*/)?\s*$')
def cut(text, upto):
    """the text as of the patch number upto; None if there is nothing yet"""
    out, stack, skip = [], [], 0
    for line in text.splitlines(True):
        m = MARK.match(line)
        if m:
            if m[1] == '+':
                gone = ORDER.index(m[2]) > upto
                stack.append(gone); skip += gone
            else:
                skip -= stack.pop()
            continue
        if not skip: out.append(line)
    assert not stack
    t = ''.join(out)
    return re.sub(r'\n\n\n+', '\n\n', t).rstrip('\n') + '\n'
def files():
    for d, _, fs in os.walk(MK):
        for f in fs:
            yield os.path.relpath(os.path.join(d, f), MK)
def git(*a, **k):
    return subprocess.run(('git', '-C', LX) + a, check=True, capture_output=True, text=True, **k).stdout
def main():
    msgs = '/tmp/cut/messages'
    if not os.path.isdir(LX):
        subprocess.run(['git','-C','/tmp/lx','worktree','add','-q','--detach',LX,'base'],check=True)
    os.environ.update(GIT_AUTHOR_NAME='wakelat developers',GIT_AUTHOR_EMAIL='developers@wakelat.invalid',GIT_COMMITTER_NAME='wakelat series',GIT_COMMITTER_EMAIL='series@wakelat.invalid')
    git('reset','-q','--hard','base'); git('clean','-fdq')
    for n, name in enumerate(ORDER):
        msg = os.path.join(msgs, name)
        if not os.path.exists(msg): continue
        hunk = '/tmp/cut/hunks/%s.diff' % name
        if os.path.exists(hunk): git('apply','--index', hunk)
        for f in sorted(files()):
            if ORDER.index(default(f)) > n: continue
            t = cut(open(os.path.join(MK, f)).read(), n)
            dst = os.path.join(LX, f)
            os.makedirs(os.path.dirname(dst), exist_ok=True)
            open(dst,'w').write(t)
            shutil.copymode(os.path.join(MK,f), dst)
            git('add','-f',f)
        date = '2026-11-23T12:%02d:00Z' % (n+1)
        os.environ.update(GIT_AUTHOR_DATE=date,GIT_COMMITTER_DATE=date)
        git('commit','-q','-F',msg,'--cleanup=whitespace')
    print(git('log','--oneline','base..HEAD'))
main()
