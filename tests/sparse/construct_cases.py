"""Constructors of sparse tensors, and what PyTorch answers. `python construct_cases.py`, with PyTorch's torch, writes
data/construct.json."""

import json
import pathlib

import torch

PATH = pathlib.Path(__file__).parent / "data" / "construct.json"

i, v, L = torch.tensor([[0, 1], [2, 0]]), torch.tensor([1.0, 2.0]), torch.tensor
vd, g = v.double(), torch.tensor([1.0, 2.0], requires_grad=True)
cr, co = torch.tensor([0, 1, 2]), torch.tensor([2, 0])
S, K = torch.sparse_coo_tensor, torch.sparse_compressed_tensor
R, C, B, Q = torch.sparse_csr_tensor, torch.sparse_csc_tensor, torch.sparse_bsr_tensor, torch.sparse_bsc_tensor
coo, csr, csc = torch.sparse_coo, torch.sparse_csr, torch.sparse_csc

# By line, separated by " | ".
CASES = """
S(i,v) | S(i,v,(3,4)) | S(i,v,[3,4]) | S(i,v,torch.Size([3,4])) | S(i,[1,2]) | S([[0,1],[2,0]],[1.,2.]) | S(i,[1+2j,2])
S(i,[True,False]) | S(i,3) | S(i,3.) | S([[1],[2]],3) | S(i,v,dtype=torch.float64) | S(i,[1,2],dtype=torch.float16)
S((3,4)) | S([3,4]) | S(size=(3,4)) | S((3,4),dtype=torch.int32) | S(3,4) | S() | S(indices=i,values=v)
S(indices=i,values=v,size=(2,3)) | S(i) | S(values=v) | S(torch.Size([2,2])) | S((3,4),requires_grad=True)
S((3,4),device='meta') | S(torch.empty(2,0),torch.empty(0)) | S(torch.empty(2,0,dtype=torch.int64),torch.empty(0),(3,4))
S([[],[]],[]) | S([],[]) | S([],[],(0,)) | S(torch.empty(0,1),[5.]) | S(torch.empty(0,1,dtype=torch.int64),L([5.]),())
S(torch.empty(1,0),torch.empty(0,3)) | S([[],[]],[],(2,2)) | S(i.int(),v) | S(i.float(),v) | S(i.to(torch.int8),v)
S(L([[True,False]]),v) | S(i+0j,v) | S(L([0,1]),v) | S(L([[[0,1]]]),v) | S(L([0,1]),v,(3,)) | S(L(1),v) | S(i,L([1.,2.,3.]))
S(i,v,(3,)) | S(i,v,(3,4,5)) | S(i,torch.ones(2,5),(3,4,5)) | S(i,torch.ones(2,5)) | S(i,torch.ones(2,5),(3,4,6))
S(i,torch.ones(2,5),(3,4)) | S(i,v,(1,1)) | S(-i,v) | S(-i,v,(3,4)) | S(i,v,(-3,4)) | S(i,v,(2**40,2**40)) | S(i,v,(3.,4))
S(i,v,(1,1),check_invariants=True) | S(-i,v,(3,4),check_invariants=True) | S(i,v,(3,4),check_invariants=True)
S(i,v,(3,4),check_invariants=False) | S(L([[1,0]]),v,(3,),is_coalesced=True)
S(L([[1,0]]),v,(3,),is_coalesced=True,check_invariants=True) | S(L([[0,1]]),v,(3,),is_coalesced=True)
S(L([[0,1]]),v,(3,),is_coalesced=False) | S(L([[1]]),L([1.]),(3,),is_coalesced=False)
S(L([[1,1]]),v,(3,),is_coalesced=True,check_invariants=True) | S(i,v,layout=coo) | S(i,v,requires_grad=True) | S(i,g)
S(i,g,requires_grad=True) | S(i,g,requires_grad=False) | S(i,g.detach().double(),dtype=torch.float32,requires_grad=True)
S(i,[1,2],requires_grad=True) | S(i,v,device='cpu') | S(i,v,device='meta') | S(i.to('meta'),v.to('meta'),(3,4))
S(i,v.to('meta'),(3,4)) | S(i,v,pin_memory=True) | S(i,v,(3,4),None) | S(i,v,(3,4),torch.float64) | S(i,v,foo=1) | S(i,'a')
S('a',v) | S(None,v) | S(i,None,(3,4)) | S(i,v,None) | S(i,S(i,v)) | S(S(i,v),v) | S(i,v.expand(2)) | S(i.numpy(),v.numpy())
S(i.numpy(),vd.numpy(),dtype=torch.float32) | S(i,v.numpy()) | S((L([0,1]),L([2,0])),v) | S([L([0,1]),L([2,0])],v)
R(cr,co,v) | R(cr,co,v,(2,3)) | R(cr,co,v,[2,5]) | R([0,1,2],[2,0],[1,2]) | R(cr.int(),co.int(),v) | R(cr,co.int(),v)
R(cr.to(torch.int16),co.to(torch.int16),v) | R(cr.float(),co.float(),v) | R(cr,co,[1,2],dtype=torch.float64)
R(cr,co,v,dtype=torch.float64) | R(cr,co,v,requires_grad=True) | R(cr,co,g) | R(cr,co,v,layout=csr) | R(cr,co,v,layout=csc)
R(crow_indices=cr,col_indices=co,values=v) | R(crow_indices=cr,col_indices=co,values=v,size=(2,3)) | R(cr,co) | R()
R(cr,co,v,(2,)) | R(cr,co,v,(2,3,4)) | R(cr,co,v,foo=2) | R(cr,co,v,(2,3),device='meta') | R((2,3)) | R(size=(2,3))
R(cr,co,v,2) | R(L([0,1]),co,v,(2,3)) | R(cr,L([2]),v,(2,3)) | R(cr,L([5,0]),v,(2,3)) | R(L([0,2,1]),co,v,(2,3))
R(L([0]),L([],dtype=torch.int64),L([])) | R(L([0,0]),L([],dtype=torch.int64),L([]),(1,3)) | R([0,0,0],[],[])
R([0,0,0],[],[],(2,2)) | R(L([0,1]),co,v,(2,3),check_invariants=True) | R(cr,L([2]),v,(2,3),check_invariants=True)
R(cr,L([5,0]),v,(2,3),check_invariants=True) | R(L([0,2,1]),co,v,(2,3),check_invariants=True)
R(L([1,1,2]),co,v,(2,3),check_invariants=True) | R(L([0,1,1]),co,v,(2,3),check_invariants=True)
R(L([0,2,2]),co,v,(2,3),check_invariants=True) | R(cr,-co,v,(2,3),check_invariants=True)
R(cr.float(),co.float(),v,check_invariants=True) | R(cr,co.int(),v,check_invariants=True)
R(cr,co,v,(2,),check_invariants=True) | R(cr,co,v,(2,3,4),check_invariants=True) | R(cr,co,v,(3,3),check_invariants=True)
R(cr,co,v,(-2,3),check_invariants=True) | R(cr[None],co,v,(2,3),check_invariants=True)
R(torch.stack([cr,cr]),torch.stack([co,co]),torch.stack([v,v]))
R(torch.stack([cr,cr]),torch.stack([co,co]),torch.stack([v,v]),(2,2,3),check_invariants=True) | R(cr,co,torch.ones(2,4))
R(cr,co,torch.ones(2,4),(2,3,4),check_invariants=True) | C(cr,co,v) | C(cr,co,v,(3,2))
C(ccol_indices=cr,row_indices=co,values=v) | C(cr,L([5,0]),v,(3,2),check_invariants=True) | C(cr,co,v,layout=csr)
B(cr,co,torch.ones(2,2,3)) | B(cr,co,torch.ones(2,2,3),(4,9)) | B(cr,co,torch.ones(2,2,3),(4,9),check_invariants=True)
B(cr,co,torch.ones(2,2,3),(5,9),check_invariants=True) | B(cr,co,v) | B(cr,co,v,(2,3)) | B(cr,co,torch.ones(2,2,3,5))
Q(cr,co,torch.ones(2,2,3)) | Q(cr,co,torch.ones(2,2,3),(6,6),check_invariants=True)
Q(cr,L([3,0]),torch.ones(2,2,3),(6,6),check_invariants=True) | K(cr,co,v) | K(cr,co,v,layout=csr)
K(cr,co,v,(2,3),layout=csc) | K(cr,co,v,layout=coo) | K(cr,co,v,layout=torch.strided)
K(compressed_indices=cr,plain_indices=co,values=v,layout=csr) | K(cr,co,v,layout='csr')
K(cr,co,v,(2,3),dtype=torch.float64,layout=csr,requires_grad=True) | R(cr.numpy(),co.numpy(),v.numpy(),(2,3))
R(cr.int().numpy(),co.int().numpy(),v.numpy(),(2,3)) | torch.zeros(2,3,layout=coo)
torch.zeros((2,3),layout=csr,dtype=torch.int32) | torch.empty(2,3,layout=csc) | torch.zeros(size=(2,3),layout=coo)
torch.zeros(2,3,layout=coo,requires_grad=True) | torch.zeros(3,layout=csr) | torch.zeros(2,3,4,layout=csr)
torch.zeros((),layout=coo) | torch.zeros(2,3,layout=torch.sparse_bsr) | torch.ones(2,3,layout=coo)
torch.full((2,3),4.,layout=coo) | torch.eye(3,layout=coo) | torch.rand(3,3,layout=coo) | torch.arange(3,layout=coo)
torch.randn(3,3,layout=coo) | torch.hann_window(3,layout=coo) | torch.zeros(2,3,layout=coo,out=torch.zeros(2))
torch.zeros(2,3,layout=coo,pin_memory=True) | torch.zeros(2,3,layout=coo,device='meta') | torch.zeros(2,layout=3)
torch.zeros(2,3,layout=coo,dtype=torch.bool) | torch.zeros(0,3,layout=csr) | torch.empty_strided((2,2),(2,1),layout=coo)
torch.zeros_like(S(i,v)) | torch.zeros_like(S(i,v),layout=torch.strided) | torch.zeros_like(S(i,v),layout=csr)
torch.empty_like(S(i,v)) | torch.zeros_like(torch.ones(2,3),layout=coo) | torch.zeros_like(torch.ones(2,3),layout=csr)
torch.zeros_like(R(cr,co,v)) | torch.zeros_like(R(cr,co,v),layout=coo) | torch.ones_like(R(cr,co,v))
torch.full_like(R(cr,co,v),4,dtype=torch.int32) | torch.ones_like(S(i,v)) | torch.ones_like(S(i,v),layout=torch.strided)
torch.zeros_like(B(cr,co,torch.ones(2,2,3))) | torch.zeros_like(S(i,torch.ones(2,5)))
torch.zeros_like(S(i,v),dtype=torch.int32,requires_grad=False) | torch.rand_like(S(i,v))
torch.zeros_like(S(i,v),requires_grad=True) | torch.ones_like(B(cr,co,torch.ones(2,2,3))) | S(i,v).new_zeros(2,3)
S(i,v).new_zeros((2,3),dtype=torch.int32) | S(i,v).new_empty((2,3)) | S(i,v).new_ones(2,3) | S(i,v).new_full((2,3),4.)
S(i,v).new_tensor([1.]) | S(i,v).new_zeros(2,3,layout=torch.strided) | R(cr,co,v).new_zeros(2,3) | R(cr,co,v).new_zeros(4)
R(cr,co,v).new_zeros(2,3,4) | torch.ones(2,3).new_zeros((2,3),layout=coo) | S(i,v).new() | S(i,v).new(2,3) | S(i,v).new(i,v)
S(i,v).new(i,v,(4,4)) | S(i,v).new_ones(2,3,layout=torch.strided) | torch.sparse.FloatTensor()
torch.sparse.FloatTensor(3,4) | torch.sparse.FloatTensor(torch.Size([3,4])) | torch.sparse.FloatTensor([3,4])
torch.sparse.FloatTensor((3,4)) | torch.sparse.FloatTensor(i,v) | torch.sparse.FloatTensor(i,v,(3,4))
torch.sparse.FloatTensor(i,v,torch.Size([3,4])) | torch.sparse.FloatTensor(i,v,[3,4]) | torch.sparse.DoubleTensor(i,v)
torch.sparse.FloatTensor(i.float(),v) | torch.sparse.FloatTensor(i.int(),v) | torch.sparse.FloatTensor([[0]],[1.])
torch.sparse.LongTensor(2,2) | torch.sparse.FloatTensor(i,v,device='cpu') | torch.sparse.FloatTensor(i,v,device='meta')
torch.sparse.FloatTensor(S(i,v)) | torch.sparse.HalfTensor(2) | torch.sparse.FloatTensor(i,v,(3,4),(3,4))
torch.sparse.FloatTensor(i,v,(1,1)) | torch.sparse.FloatTensor(2.)
"""
EXPRESSIONS = [case for line in CASES.strip().splitlines() for case in line.split(" | ")]


def _members(x):
    if x.layout == coo:
        return f"{x.is_coalesced()} {x._indices().tolist()} {x._values().tolist()}"
    by_rows = x.layout in (csr, torch.sparse_bsr)
    begins, places = (x.crow_indices(), x.col_indices()) if by_rows else (x.ccol_indices(), x.row_indices())
    return f"{begins.tolist()} {places.tolist()} {places.dtype} {x.values().tolist()}"


def described(x):
    """Everything about a tensor, as text."""
    text = f"{x.layout} {tuple(x.shape)} {x.dtype} {x.device} requires_grad={x.requires_grad} is_leaf={x.is_leaf}"
    if x.layout == torch.strided or x.is_meta:
        return text
    return f"{text} {x.sparse_dim()}+{x.dense_dim()} {_members(x)}"


def answer(expression):
    """What the expression makes, or the type of its exception and what it says."""
    try:
        return described(eval(expression))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


if __name__ == "__main__":
    answers = {expression: answer(expression) for expression in EXPRESSIONS}
    PATH.write_text(json.dumps(answers, indent=0) + "\n")
