use_plt:
	stmg %r12, %r15, 96(%r15)
	aghi %r15, -160
	brasl %r14, one@plt
	lmg %r12, %r15, 256(%r15)
	br %r14
